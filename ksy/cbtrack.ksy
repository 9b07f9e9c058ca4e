meta:
  id: cbtrack
  title: Coilbox replay track
  application: Coilbox
  file-extension: cbtrack
  tags:
    - game
    - replay
  license: CC0-1.0
  ks-version: "0.11"
  imports:
    - cbtrack_chunk
  endian: le
doc: |
  A track says where everything was during one replay of a Spring or Recoil
  game: units, the pieces they aim with, projectiles, features, terrain, build
  queues and team numbers. It is made so that a reader can show any frame, with
  time going in either direction, after reading one window of the file.

  | part           | where                      | compressed |
  |----------------|----------------------------|------------|
  | header         | offset 0                   | no         |
  | window index   | `header.len_header`        | no         |
  | info chunk     | `header.blk_info * 64`     | zlib       |
  | features chunk | `header.blk_features * 64` | zlib       |
  | main chunks    | `blk_main * 64`            | zlib       |
  | terrain chunks | `blk_terrain * 64`         | zlib       |

  Every chunk is one zlib stream that starts on a block of 64 bytes. Inside is
  a `cbtrack_chunk`: a directory of typed columns. Chunks are found by their
  block numbers alone; their order in the file says nothing. The gaps between
  them are zero bytes, and bytes after the last chunk belong to nothing.

  The header is a type of its own, so that a fixed size record can be made of
  it for readers that do not use Kaitai Struct.
doc-ref: 'Replay track format, File layout'
seq:
  - id: header
    type: header
instances:
  windows:
    pos: header.len_header
    type: window
    repeat: expr
    repeat-expr: header.num_windows
    doc: |
      One entry for each window, in order of time. Window `k` starts at frame
      `first_frame + k * window_length`.
    doc-ref: 'Replay track format, Window index'
  info:
    pos: header.blk_info * 64
    size: header.len_info
    type: cbtrack_chunk
    process: zlib
    if: header.len_info != 0
    doc: Names, teams and the map, columns 160 to 186.
    doc-ref: 'Replay track format, Info chunk'
  features:
    pos: header.blk_features * 64
    size: header.len_features
    type: cbtrack_chunk
    process: zlib
    if: header.len_features != 0
    doc: Every feature of the match, columns 128 to 140.
    doc-ref: 'Replay track format, Features chunk'
types:
  header:
    doc: |
      96 bytes, of which `len_header` says how many more there are. Every u4 in
      it is at most 16,777,215, the largest number that is exact in the 32 bit
      floats of the engine's Lua.
    doc-ref: 'Replay track format, Header'
    seq:
      - id: magic
        contents: CBTK
      - id: format_version
        type: u2
        valid: 1
        doc: |
          A reader refuses a version that it does not know. New columns and new
          header fields keep the version.
      - id: len_header
        type: u2
        valid:
          min: 96
        doc: |
          Size of the header in bytes, and so the offset of the window index. A
          later writer may add fields after byte 96.
      - id: recorder_version
        type: u2
        doc: |
          1 stored poses in model space; 2 made them relative to the parent
          piece; 3 added footprints (columns 181 and 182); 4 added the team
          numbers (columns 104 to 108 and 183 to 186, `resource_tolerance` and
          `resource_fraction`).
        doc-ref: 'Replay track format, Versions'
      - id: frames_per_second
        type: u2
        doc: Simulation frames in a second of game time. The engine's is 30.
      - id: first_frame
        type: u4
        doc: First frame recorded.
      - id: last_frame
        type: u4
        doc: Last frame recorded, which is in the track.
      - id: window_length
        type: u4
        valid:
          min: 1
          max: 65535
        doc: |
          Frames in a window, so that an offset in a window fits 16 bits. The
          last window may be shorter.
      - id: num_windows
        type: u4
        doc: |
          `last_frame - first_frame` divided by `window_length` and rounded up,
          at least 1. A frame between two windows is in both.
      - id: tolerance
        type: f4
        doc: |
          Elmos. No recorded sample is further than this from the track.
        doc-ref: 'Replay track format, What the tolerance measures'
      - id: position_shift
        type: u1
        doc: |
          A position is a count of steps of 1 elmo divided by 2 to this power.
      - id: velocity_shift
        type: u1
        doc: |
          A velocity is a count of steps of 1 elmo per frame divided by 2 to
          this power.
      - id: rotation_bits
        type: u1
        valid:
          min: 8
          max: 16
        doc: |
          Bits of each stored component of a rotation. A component is
          `n * sqrt(1/2) / (2^(rotation_bits - 1) - 1)`.
        doc-ref: 'Replay track format, Rotation'
      - id: sample_gap
        type: u1
        doc: |
          Frames between the recorder's samples of a unit. For information.
      - id: blk_info
        type: u4
        doc: Offset of the info chunk divided by 64.
      - id: len_info
        type: u4
        doc: Compressed size of the info chunk in bytes.
      - id: blk_features
        type: u4
        doc: Offset of the features chunk divided by 64.
      - id: len_features
        type: u4
        doc: Compressed size of the features chunk in bytes.
      - id: num_units
        type: u4
        doc: Units in the whole match.
      - id: num_projectiles
        type: u4
        doc: Projectiles in the whole match.
      - id: num_features
        type: u4
        doc: Features in the whole match.
      - id: game_id
        size: 16
        doc: The replay's game id, as in the header of the Spring demo.
      - id: resource_tolerance
        type: f4
        doc: |
          No team number that is thinned is further than this from the track,
          unless `resource_fraction` allows more. 0 before recorder version 4.
        doc-ref: 'Replay track format, Team numbers'
      - id: resource_fraction
        type: f4
        doc: |
          A team number may be this part of its own size from the track, when
          that is more than `resource_tolerance`. 0 before recorder version 4.
      - id: reserved
        size: 8
        doc: |
          Zero. A reader takes any bytes here, since a later recorder may give
          them a meaning.
  window:
    doc: Where the chunks of one window are.
    doc-ref: 'Replay track format, Window index'
    seq:
      - id: blk_main
        type: u4
        doc: Offset of the main chunk divided by 64.
      - id: len_main
        type: u4
        doc: Compressed size of the main chunk in bytes.
      - id: blk_terrain
        type: u4
        doc: |
          Offset of the terrain chunk divided by 64. 0 when no terrain changed
          in the window.
      - id: len_terrain
        type: u4
        doc: |
          Compressed size of the terrain chunk in bytes. 0 when no terrain
          changed in the window.
    instances:
      main:
        io: _root._io
        pos: blk_main * 64
        size: len_main
        type: cbtrack_chunk
        process: zlib
        if: len_main != 0
        doc: |
          Units, projectiles and team numbers at the frames of the window,
          columns 1 to 108.
        doc-ref: 'Replay track format, Main chunk'
      terrain:
        io: _root._io
        pos: blk_terrain * 64
        size: len_terrain
        type: cbtrack_chunk
        process: zlib
        if: blk_terrain != 0 and len_terrain != 0
        doc: |
          Changes of the heightmap, columns 112 to 116. A row belongs to one
          window: window 0 holds the first frame, every later window begins
          after its first frame.
        doc-ref: 'Replay track format, Terrain chunk'
