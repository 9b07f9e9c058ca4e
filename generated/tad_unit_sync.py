# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild
# type: ignore

import kaitaistruct
from kaitaistruct import KaitaiStruct, KaitaiStream, BytesIO


if getattr(kaitaistruct, 'API_VERSION', (0, 9)) < (0, 11):
    raise Exception("Incompatible Kaitai Struct Python API: 0.11 or later is required, but you have %s" % (kaitaistruct.__version__))

class TadUnitSync(KaitaiStruct):
    """The state that one player sends at one tick: any number of movement entries,
    an end mark, then the status of one slot, that with the number tick modulo
    the unit limit. All of it behind the tick is one stream of bits, least
    significant bit first.

    Two things that the bits need are not in them, and here a layout stops:

    - The width of a type index, 9 for catalogs of 256 to 511 types with row
      zero. Opened alone, this file reads 9. `sync_bits` takes any width.
    - Whether an entry is of the ground or of the air form, which depends on
      whether its type can fly. `as_ground` reads every entry as ground,
      `as_air` as air, without a way to change between them. One of the two is
      right for a sync whose entries are all of one kind, and `is_whole` is then
      true for it. For a mixed sync neither is right, and the package learns the
      families of the types from the whole file instead.

    A sync without entries reads the same both ways.

    .. seealso::
       seed 004, 7. Unit sync


    .. seealso::
       fact sheet tad-format, 7. 0x2c bit grammar
    """
    def __init__(self, _io, _parent=None, _root=None):
        super(TadUnitSync, self).__init__(_io)
        self._parent = _parent
        self._root = _root or self
        self._read()

    def _read(self):
        self.magic = self._io.read_bytes(1)
        if not self.magic == b"\x2C":
            raise kaitaistruct.ValidationNotEqualError(b"\x2C", self.magic, self._io, u"/seq/0")
        self.len_subpacket = self._io.read_u2le()
        if not self.len_subpacket >= 7:
            raise kaitaistruct.ValidationLessThanError(7, self.len_subpacket, self._io, u"/seq/1")
        self.tick = self._io.read_u4le()


    def _fetch_instances(self):
        pass
        _ = self.as_air
        if hasattr(self, '_m_as_air'):
            pass
            self._m_as_air._fetch_instances()

        _ = self.as_ground
        if hasattr(self, '_m_as_ground'):
            pass
            self._m_as_ground._fetch_instances()


    class AirEntry(KaitaiStruct):
        """What an aircraft is doing.

        .. seealso::
           seed 004, 7. Unit sync, air movement entry
        """
        goal = None
        motion = None
        mode = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.AirEntry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.selector_field = TadUnitSync.Pair(self._io, self, self._root)
            if  ((self.selector == 1) and (self.num_left >= 12)) :
                pass
                self.goal = TadUnitSync.AirGoal(self._io, self, self._root)

            if  ((self.selector == 2) and (self.num_left >= 213)) :
                pass
                self.motion = TadUnitSync.AirMotion(self._io, self, self._root)

            if self.num_left >= self.num_bits:
                pass
                self.mode = TadUnitSync.Pair(self._io, self, self._root)



        def _fetch_instances(self):
            pass
            self.selector_field._fetch_instances()
            if  ((self.selector == 1) and (self.num_left >= 12)) :
                pass
                self.goal._fetch_instances()

            if  ((self.selector == 2) and (self.num_left >= 213)) :
                pass
                self.motion._fetch_instances()

            if self.num_left >= self.num_bits:
                pass
                self.mode._fetch_instances()


        @property
        def num_bits(self):
            if hasattr(self, '_m_num_bits'):
                return self._m_num_bits

            self._m_num_bits = ((4 + self.goal.num_bits if self.num_left >= 12 else 12) if self.selector == 1 else ((4 + self.motion.num_bits if self.num_left >= 213 else 213) if self.selector == 2 else 4))
            return getattr(self, '_m_num_bits', None)

        @property
        def num_left(self):
            if hasattr(self, '_m_num_left'):
                return self._m_num_left

            self._m_num_left = (self._parent.num_left - 16) - self._parent._parent.num_type_bits
            return getattr(self, '_m_num_left', None)

        @property
        def selector(self):
            """Which payload follows."""
            if hasattr(self, '_m_selector'):
                return self._m_selector

            self._m_selector = self.selector_field.value
            return getattr(self, '_m_selector', None)


    class AirGoal(KaitaiStruct):
        """A goal of an aircraft; the flags say which fields follow."""
        raw_piece = None
        target = None
        raw_radius = None
        raw_offset = None
        heading = None
        raw_x = None
        raw_y = None
        raw_z = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.AirGoal, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.flags = self._io.read_bits_int_le(8)
            if  ((self.fits) and (self.has_target)) :
                pass
                self.raw_piece = self._io.read_bits_int_le(16)

            if  ((self.fits) and (self.has_target)) :
                pass
                self.target = self._io.read_bits_int_le(16)

            if  ((self.fits) and (self.has_radius)) :
                pass
                self.raw_radius = self._io.read_bits_int_le(16)

            if  ((self.fits) and (self.has_offset)) :
                pass
                self.raw_offset = self._io.read_bits_int_le(16)

            if  ((self.fits) and (self.has_heading)) :
                pass
                self.heading = self._io.read_bits_int_le(16)

            if  ((self.fits) and (self.has_point)) :
                pass
                self.raw_x = self._io.read_bits_int_le(32)

            if  ((self.fits) and (self.has_point)) :
                pass
                self.raw_y = self._io.read_bits_int_le(32)

            if  ((self.fits) and (self.has_point)) :
                pass
                self.raw_z = self._io.read_bits_int_le(32)



        def _fetch_instances(self):
            pass
            if  ((self.fits) and (self.has_target)) :
                pass

            if  ((self.fits) and (self.has_target)) :
                pass

            if  ((self.fits) and (self.has_radius)) :
                pass

            if  ((self.fits) and (self.has_offset)) :
                pass

            if  ((self.fits) and (self.has_heading)) :
                pass

            if  ((self.fits) and (self.has_point)) :
                pass

            if  ((self.fits) and (self.has_point)) :
                pass

            if  ((self.fits) and (self.has_point)) :
                pass


        @property
        def fits(self):
            """Whether the fields fit into what is left."""
            if hasattr(self, '_m_fits'):
                return self._m_fits

            self._m_fits = self.num_bits + 4 <= self._parent.num_left
            return getattr(self, '_m_fits', None)

        @property
        def has_heading(self):
            if hasattr(self, '_m_has_heading'):
                return self._m_has_heading

            self._m_has_heading = self.flags & 64 != 0
            return getattr(self, '_m_has_heading', None)

        @property
        def has_offset(self):
            if hasattr(self, '_m_has_offset'):
                return self._m_has_offset

            self._m_has_offset = self.flags & 8 != 0
            return getattr(self, '_m_has_offset', None)

        @property
        def has_point(self):
            if hasattr(self, '_m_has_point'):
                return self._m_has_point

            self._m_has_point = self.flags & 32 != 0
            return getattr(self, '_m_has_point', None)

        @property
        def has_radius(self):
            if hasattr(self, '_m_has_radius'):
                return self._m_has_radius

            self._m_has_radius = self.flags & 16 != 0
            return getattr(self, '_m_has_radius', None)

        @property
        def has_target(self):
            if hasattr(self, '_m_has_target'):
                return self._m_has_target

            self._m_has_target = self.flags & 1 != 0
            return getattr(self, '_m_has_target', None)

        @property
        def num_bits(self):
            if hasattr(self, '_m_num_bits'):
                return self._m_num_bits

            self._m_num_bits = ((((8 + (32 if self.has_target else 0)) + (16 if self.has_radius else 0)) + (16 if self.has_offset else 0)) + (16 if self.has_heading else 0)) + (96 if self.has_point else 0)
            return getattr(self, '_m_num_bits', None)


    class AirMotion(KaitaiStruct):
        """Position and velocity of an aircraft."""
        heading = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.AirMotion, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_turning = self._io.read_bits_int_le(1) != 0
            self.raw_x = self._io.read_bits_int_le(32)
            self.raw_y = self._io.read_bits_int_le(32)
            self.raw_z = self._io.read_bits_int_le(32)
            self.raw_velocity_x = self._io.read_bits_int_le(32)
            self.raw_velocity_y = self._io.read_bits_int_le(32)
            self.raw_velocity_z = self._io.read_bits_int_le(32)
            if  ((self.is_turning) and (self._parent.num_left >= 213)) :
                pass
                self.heading = self._io.read_bits_int_le(16)



        def _fetch_instances(self):
            pass
            if  ((self.is_turning) and (self._parent.num_left >= 213)) :
                pass


        @property
        def num_bits(self):
            if hasattr(self, '_m_num_bits'):
                return self._m_num_bits

            self._m_num_bits = 193 + (16 if self.is_turning else 0)
            return getattr(self, '_m_num_bits', None)


    class Entry(KaitaiStruct):
        """One movement entry, or the end mark."""
        slot_field = None
        unit_type = None
        ground = None
        air = None
        def __init__(self, index, _io, _parent=None, _root=None):
            super(TadUnitSync.Entry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.index = index
            self._read()

        def _read(self):
            if self.num_left >= 16:
                pass
                self.slot_field = TadUnitSync.Word(self._io, self, self._root)

            if self.has_body:
                pass
                self.unit_type = TadUnitSync.TypeIndex(self._parent.num_type_bits, self._io, self, self._root)

            if  ((self.has_body) and ((not (self._parent.is_air)))) :
                pass
                self.ground = TadUnitSync.GroundEntry(self._io, self, self._root)

            if  ((self.has_body) and (self._parent.is_air)) :
                pass
                self.air = TadUnitSync.AirEntry(self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if self.num_left >= 16:
                pass
                self.slot_field._fetch_instances()

            if self.has_body:
                pass
                self.unit_type._fetch_instances()

            if  ((self.has_body) and ((not (self._parent.is_air)))) :
                pass
                self.ground._fetch_instances()

            if  ((self.has_body) and (self._parent.is_air)) :
                pass
                self.air._fetch_instances()


        @property
        def has_body(self):
            if hasattr(self, '_m_has_body'):
                return self._m_has_body

            self._m_has_body =  ((self.num_left >= (16 + self._parent.num_type_bits) + 4) and (self.slot != 65535))
            return getattr(self, '_m_has_body', None)

        @property
        def is_end(self):
            if hasattr(self, '_m_is_end'):
                return self._m_is_end

            self._m_is_end =  ((self.num_left >= 16) and (self.slot == 65535))
            return getattr(self, '_m_is_end', None)

        @property
        def is_last(self):
            if hasattr(self, '_m_is_last'):
                return self._m_is_last

            self._m_is_last =  (((not (self.has_body))) or (self._parent.num_bits < self.ofs_next))
            return getattr(self, '_m_is_last', None)

        @property
        def num_left(self):
            if hasattr(self, '_m_num_left'):
                return self._m_num_left

            self._m_num_left = self._parent.num_bits - self.ofs_start
            return getattr(self, '_m_num_left', None)

        @property
        def ofs_body(self):
            if hasattr(self, '_m_ofs_body'):
                return self._m_ofs_body

            self._m_ofs_body = (16 + self._parent.num_type_bits) + self.ofs_start
            return getattr(self, '_m_ofs_body', None)

        @property
        def ofs_next(self):
            if hasattr(self, '_m_ofs_next'):
                return self._m_ofs_next

            self._m_ofs_next = (self.ofs_start + 16 if (not (self.has_body)) else (self.ofs_body + self.air.num_bits if self._parent.is_air else self.ofs_body + self.ground.num_bits))
            return getattr(self, '_m_ofs_next', None)

        @property
        def ofs_start(self):
            """Bit of this entry, from the start of the subpacket."""
            if hasattr(self, '_m_ofs_start'):
                return self._m_ofs_start

            self._m_ofs_start = (56 if self.index == 0 else self._parent.entries[self.index - 1].ofs_next)
            return getattr(self, '_m_ofs_start', None)

        @property
        def slot(self):
            """Slot of the unit in the block, or the end mark."""
            if hasattr(self, '_m_slot'):
                return self._m_slot

            if self.num_left >= 16:
                pass
                self._m_slot = self.slot_field.value

            return getattr(self, '_m_slot', None)


    class Flag(KaitaiStruct):
        """One bit."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.Flag, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_bits_int_le(1) != 0


        def _fetch_instances(self):
            pass


    class GroundEntry(KaitaiStruct):
        """Where a ground unit is heading, as the start of its path.

        .. seealso::
           seed 004, 7. Unit sync, ground movement entry
        """
        points = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.GroundEntry, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.head = TadUnitSync.GroundHead(self._io, self, self._root)
            if self.has_points:
                pass
                self.points = []
                for i in range(self.num_points):
                    self.points.append(TadUnitSync.Point(self._io, self, self._root))




        def _fetch_instances(self):
            pass
            self.head._fetch_instances()
            if self.has_points:
                pass
                for i in range(len(self.points)):
                    pass
                    self.points[i]._fetch_instances()



        @property
        def has_points(self):
            """Whether the points fit into what is left."""
            if hasattr(self, '_m_has_points'):
                return self._m_has_points

            self._m_has_points = self._parent.num_left >= (19 + self._parent._parent.num_type_bits) + 32 * self.num_points
            return getattr(self, '_m_has_points', None)

        @property
        def num_bits(self):
            if hasattr(self, '_m_num_bits'):
                return self._m_num_bits

            self._m_num_bits = 3 + 32 * self.num_points
            return getattr(self, '_m_num_bits', None)

        @property
        def num_points(self):
            if hasattr(self, '_m_num_points'):
                return self._m_num_points

            self._m_num_points = self.head.num_points
            return getattr(self, '_m_num_points', None)


    class GroundHead(KaitaiStruct):
        """The fixed part of a ground entry."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.GroundHead, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.is_blocked = self._io.read_bits_int_le(1) != 0
            self.num_points = self._io.read_bits_int_le(2)


        def _fetch_instances(self):
            pass


    class Long(KaitaiStruct):
        """Thirty-two bits, signed."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.Long, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw = self._io.read_bits_int_le(32)


        def _fetch_instances(self):
            pass

        @property
        def value(self):
            """Signed."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (self.raw if self.raw < 2147483648 else self.raw - 4294967296)
            return getattr(self, '_m_value', None)


    class Pair(KaitaiStruct):
        """Two bits."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.Pair, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_bits_int_le(2)


        def _fetch_instances(self):
            pass


    class Point(KaitaiStruct):
        """A point of a path, world units."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.Point, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw_x = self._io.read_bits_int_le(16)
            self.raw_z = self._io.read_bits_int_le(16)


        def _fetch_instances(self):
            pass

        @property
        def x(self):
            if hasattr(self, '_m_x'):
                return self._m_x

            self._m_x = (self.raw_x if self.raw_x < 32768 else self.raw_x - 65536)
            return getattr(self, '_m_x', None)

        @property
        def z(self):
            if hasattr(self, '_m_z'):
                return self._m_z

            self._m_z = (self.raw_z if self.raw_z < 32768 else self.raw_z - 65536)
            return getattr(self, '_m_z', None)


    class Status(KaitaiStruct):
        """Status of the slot `tick` modulo the unit limit.

        .. seealso::
           seed 004, 7. Unit sync, scheduled status
        """
        state = None
        attachment = None
        placement = None
        speed = None
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.Status, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.unit_type = TadUnitSync.TypeIndex(self._parent.num_type_bits, self._io, self, self._root)
            if self.has_state:
                pass
                self.state = TadUnitSync.StatusState(self._io, self, self._root)

            if  ((self.has_state) and (self.state.is_attached) and (self.num_left >= 35 + 23)) :
                pass
                self.attachment = TadUnitSync.StatusAttachment(self._io, self, self._root)

            if  ((self.has_state) and ((not (self.state.is_attached))) and (self.num_left >= 35 + 144)) :
                pass
                self.placement = TadUnitSync.StatusPlacement(self._io, self, self._root)

            if self.has_speed:
                pass
                self.speed = TadUnitSync.Long(self._io, self, self._root)



        def _fetch_instances(self):
            pass
            self.unit_type._fetch_instances()
            if self.has_state:
                pass
                self.state._fetch_instances()

            if  ((self.has_state) and (self.state.is_attached) and (self.num_left >= 35 + 23)) :
                pass
                self.attachment._fetch_instances()

            if  ((self.has_state) and ((not (self.state.is_attached))) and (self.num_left >= 35 + 144)) :
                pass
                self.placement._fetch_instances()

            if self.has_speed:
                pass
                self.speed._fetch_instances()


        @property
        def has_speed(self):
            if hasattr(self, '_m_has_speed'):
                return self._m_has_speed

            self._m_has_speed =  ((self.has_state) and ((not (self.state.is_attached))) and (self.num_left >= (35 + 144) + 32))
            return getattr(self, '_m_has_speed', None)

        @property
        def has_state(self):
            if hasattr(self, '_m_has_state'):
                return self._m_has_state

            self._m_has_state =  ((self.unit_type.value != 0) and (self.num_left >= 35))
            return getattr(self, '_m_has_state', None)

        @property
        def num_bits(self):
            if hasattr(self, '_m_num_bits'):
                return self._m_num_bits

            self._m_num_bits = (0 if self.unit_type.value == 0 else (35 if (not (self.has_state)) else (35 + 23 if self.state.is_attached else ((35 + 144) + 32 if self.has_speed else 35 + 144))))
            return getattr(self, '_m_num_bits', None)

        @property
        def num_left(self):
            """Bits behind the type index."""
            if hasattr(self, '_m_num_left'):
                return self._m_num_left

            self._m_num_left = ((self._parent.num_bits - self._parent.ofs_status) - 1) - self._parent.num_type_bits
            return getattr(self, '_m_num_left', None)

        @property
        def ofs_next(self):
            if hasattr(self, '_m_ofs_next'):
                return self._m_ofs_next

            self._m_ofs_next = (self._parent.num_bits - self.num_left) + self.num_bits
            return getattr(self, '_m_ofs_next', None)


    class StatusAttachment(KaitaiStruct):
        """Where an attached unit hangs."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.StatusAttachment, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.carrier = self._io.read_bits_int_le(15)
            self.raw_piece = self._io.read_bits_int_le(8)


        def _fetch_instances(self):
            pass


    class StatusPlacement(KaitaiStruct):
        """Where a unit stands."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.StatusPlacement, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw_x = self._io.read_bits_int_le(32)
            self.raw_y = self._io.read_bits_int_le(32)
            self.raw_z = self._io.read_bits_int_le(32)
            self.heading = self._io.read_bits_int_le(16)
            self.pitch = self._io.read_bits_int_le(16)
            self.bank = self._io.read_bits_int_le(16)


        def _fetch_instances(self):
            pass


    class StatusState(KaitaiStruct):
        """What every status holds."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.StatusState, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.raw_health = self._io.read_bits_int_le(16)
            self.construction = self._io.read_bits_int_le(8)
            self.flags = self._io.read_bits_int_le(8)
            self.mode = self._io.read_bits_int_le(2)
            self.is_attached = self._io.read_bits_int_le(1) != 0


        def _fetch_instances(self):
            pass

        @property
        def health(self):
            if hasattr(self, '_m_health'):
                return self._m_health

            self._m_health = (self.raw_health if self.raw_health < 32768 else self.raw_health - 65536)
            return getattr(self, '_m_health', None)


    class SyncBits(KaitaiStruct):
        """The bit stream. Each part is read only while enough bits are left, so
        that a wrong reading ends instead of failing.
        """
        align_bit = None
        presence = None
        status = None
        def __init__(self, num_type_bits, is_air, _io, _parent=None, _root=None):
            super(TadUnitSync.SyncBits, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_type_bits = num_type_bits
            self.is_air = is_air
            self._read()

        def _read(self):
            if False:
                pass
                self.align_bit = self._io.read_bits_int_le(1) != 0

            self.start_marker = self._io.read_bytes(0)
            self.entries = []
            i = 0
            while True:
                _ = TadUnitSync.Entry(i, self._io, self, self._root)
                self.entries.append(_)
                if _.is_last:
                    break
                i += 1
            if self.is_ended:
                pass
                self.presence = TadUnitSync.Flag(self._io, self, self._root)

            if self.has_status:
                pass
                self.status = TadUnitSync.Status(self._io, self, self._root)



        def _fetch_instances(self):
            pass
            if False:
                pass

            for i in range(len(self.entries)):
                pass
                self.entries[i]._fetch_instances()

            if self.is_ended:
                pass
                self.presence._fetch_instances()

            if self.has_status:
                pass
                self.status._fetch_instances()


        @property
        def has_status(self):
            if hasattr(self, '_m_has_status'):
                return self._m_has_status

            self._m_has_status =  ((self.is_ended) and (self.presence.value))
            return getattr(self, '_m_has_status', None)

        @property
        def is_ended(self):
            """Whether the end mark was met, with room for a status."""
            if hasattr(self, '_m_is_ended'):
                return self._m_is_ended

            self._m_is_ended =  ((self.entries[-1].is_end) and (self.num_bits - self.ofs_status >= 1 + self.num_type_bits))
            return getattr(self, '_m_is_ended', None)

        @property
        def is_whole(self):
            """Whether this reading left less than a byte, as the right one does;
            now and then a wrong one does, too.
            """
            if hasattr(self, '_m_is_whole'):
                return self._m_is_whole

            self._m_is_whole =  ((self.has_status) and (self.num_bits - self.status.ofs_next < 8) and (self.num_bits >= self.status.ofs_next))
            return getattr(self, '_m_is_whole', None)

        @property
        def num_bits(self):
            """Bits of the whole subpacket."""
            if hasattr(self, '_m_num_bits'):
                return self._m_num_bits

            self._m_num_bits = self._io.size() * 8
            return getattr(self, '_m_num_bits', None)

        @property
        def ofs_status(self):
            """Bit of the presence flag, from the start of the subpacket."""
            if hasattr(self, '_m_ofs_status'):
                return self._m_ofs_status

            self._m_ofs_status = self.entries[-1].ofs_next
            return getattr(self, '_m_ofs_status', None)


    class TypeIndex(KaitaiStruct):
        """Position in the sorted unit table, from 1; 0 for none. Kaitai knows bit
        fields of constant width only, so the width is made of pieces.
        """
        bit8 = None
        bit9 = None
        bit10 = None
        bit11 = None
        def __init__(self, num_bits, _io, _parent=None, _root=None):
            super(TadUnitSync.TypeIndex, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self.num_bits = num_bits
            self._read()

        def _read(self):
            self.low = self._io.read_bits_int_le(8)
            if self.num_bits > 8:
                pass
                self.bit8 = self._io.read_bits_int_le(1) != 0

            if self.num_bits > 9:
                pass
                self.bit9 = self._io.read_bits_int_le(1) != 0

            if self.num_bits > 10:
                pass
                self.bit10 = self._io.read_bits_int_le(1) != 0

            if self.num_bits > 11:
                pass
                self.bit11 = self._io.read_bits_int_le(1) != 0



        def _fetch_instances(self):
            pass
            if self.num_bits > 8:
                pass

            if self.num_bits > 9:
                pass

            if self.num_bits > 10:
                pass

            if self.num_bits > 11:
                pass


        @property
        def value(self):
            """The index."""
            if hasattr(self, '_m_value'):
                return self._m_value

            self._m_value = (((self.low + (256 if  ((self.num_bits > 8) and (self.bit8))  else 0)) + (512 if  ((self.num_bits > 9) and (self.bit9))  else 0)) + (1024 if  ((self.num_bits > 10) and (self.bit10))  else 0)) + (2048 if  ((self.num_bits > 11) and (self.bit11))  else 0)
            return getattr(self, '_m_value', None)


    class Word(KaitaiStruct):
        """Sixteen bits."""
        def __init__(self, _io, _parent=None, _root=None):
            super(TadUnitSync.Word, self).__init__(_io)
            self._parent = _parent
            self._root = _root
            self._read()

        def _read(self):
            self.value = self._io.read_bits_int_le(16)


        def _fetch_instances(self):
            pass


    @property
    def as_air(self):
        """Every movement entry read in the air form."""
        if hasattr(self, '_m_as_air'):
            return self._m_as_air

        _pos = self._io.pos()
        self._io.seek(7)
        self._m_as_air = TadUnitSync.SyncBits(9, True, self._io, self, self._root)
        self._io.seek(_pos)
        return getattr(self, '_m_as_air', None)

    @property
    def as_ground(self):
        """Every movement entry read in the ground form."""
        if hasattr(self, '_m_as_ground'):
            return self._m_as_ground

        _pos = self._io.pos()
        self._io.seek(7)
        self._m_as_ground = TadUnitSync.SyncBits(9, False, self._io, self, self._root)
        self._io.seek(_pos)
        return getattr(self, '_m_as_ground', None)
