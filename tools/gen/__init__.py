"""Makes everything in ``generated/`` and the layout reference from ``ksy/*.ksy``.

Run as ``python tools/gen`` (writes) or ``python tools/gen --check`` (compares). One .ksy states a layout once; this
package turns it into what each reader needs: a Kaitai reader with a typed stub, a debug reader with field positions,
numpy dtypes, walk tables of tagged streams, reference pages and diagrams.
"""
