using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Blittable.Writing;

//   BUILD-1  Bytes are only ever appended at Position; up to Limit any value's fixed part fits without another check,
//            and Slack bytes behind Limit may be overwritten by vector stores that are wider than their value.
//   BUILD-2  An entry is pushed for every finished value; the entries from a frame's FirstEntry up are its children.
//   BUILD-3  The children's positions never decrease, so the first child is the farthest from the metadata.
//   BUILD-4  Original order is the order of positions. Values without bytes share the position of what follows;
//            such neighbours are distinguished by their property ids, which must ascend (otherwise a filler byte
//            is written).

/// <summary>
/// Builds a document, forward only, in the last block of an arena. It does not check the order of calls; only
/// <see cref="BlittableWriter"/> and the JSON parser use it.
/// </summary>
internal sealed class DocumentBuilder
{
    /// <summary>The result of <see cref="EndObject"/> if no name is repeated.</summary>
    internal const int NoDuplicate = -1;

    private const int Slack = 128;
    private const int KeptEntriesMax = 1 << 20;

    private readonly Arena _arena;
    private readonly EntrySorter _sorter = new();
    private NativeSlice _block;
    private int _limit;
    private Entry[] _entries = new Entry[256];
    private int _entryCount;
    private Frame[] _frames = new Frame[32];
    private int _depth;
    private int _begun;
    private int _begunToDisk;
    private Frame _frame;
    private int _duplicate;

    internal DocumentBuilder(Arena arena)
    {
        _arena = arena;
        Names = new PropertyNames();
        Shapes = new ObjectShapes(Names);
        Strings = new StringStore(this);
    }

    internal PropertyNames Names { get; }

    internal ObjectShapes Shapes { get; }

    internal StringStore Strings { get; }

    /// <summary>The place of the next byte.</summary>
    internal int Position { get; set; }

    internal BlittableMode Mode { get; private set; }

    /// <summary>Whether names and shapes are kept from one document to the next.</summary>
    internal bool KeepsStructure { get; set; } = true;

    /// <summary>How many objects and arrays are open.</summary>
    internal int Depth => _depth;

    /// <summary>True if the innermost open container is an object.</summary>
    internal bool InObject => _frame.IsObject;

    /// <summary>The shape of the innermost open object so far; for an array, the one at its place.</summary>
    internal int Shape => _frame.Shape;

    /// <summary>The place at which the shapes keep the predicted next name.</summary>
    internal int Place => _frame.Place;

    /// <summary>Finished children of the innermost container.</summary>
    internal int ChildCount => _entryCount - _frame.FirstEntry;

    /// <summary>The repeated name of an object, for messages: at most its first 64 bytes.</summary>
    internal string DuplicateName
    {
        get
        {
            const int shownMax = 64;
            ReadOnlySpan<byte> name = Names.TextOf(_duplicate);
            int shown = Math.Min(name.Length, shownMax);
            while (shown < name.Length && (name[shown] & 0xC0) == 0x80)
            {
                shown--;
            }

            return Encoding.UTF8.GetString(name[..shown]) + (shown < name.Length ? "..." : string.Empty);
        }
    }

    /// <summary>True if there is exactly one value and nothing is open.</summary>
    internal bool IsWhole => _depth == 0 && _entryCount == 1;

    internal struct Entry
    {
        internal int Position;
        internal int Id;
        internal int Input;
        internal int Token;
    }

    private struct Frame
    {
        internal int FirstEntry;
        internal int Shape;
        internal int Place;
        internal int Id;
        internal int Input;
        internal bool IsObject;
    }

    /// <summary>
    /// How many documents were begun in a mode; a document that is only read must not be built for the disk.
    /// </summary>
    internal int BegunIn(BlittableMode mode) => mode == BlittableMode.ToDisk ? _begunToDisk : _begun - _begunToDisk;

    /// <summary>Starts a document.</summary>
    /// <param name="mode">Whether strings are compressed.</param>
    /// <param name="sizeBytesHint">An estimate of the size, to grow less often.</param>
    internal void Begin(BlittableMode mode, int sizeBytesHint)
    {
        Mode = mode;
        _begunToDisk += mode == BlittableMode.ToDisk ? 1 : 0;
        _begun++;
        Shapes.Begin(Names.Begin(KeepsStructure));
        if (_entries.Length > KeptEntriesMax)
        {
            _entries = new Entry[256];
        }

        _block = _arena.Allocate(Math.Max(512, sizeBytesHint) + Slack);
        _limit = _block.Length - Slack;
        Position = 0;
        _entryCount = 0;
        _depth = 0;
        _frame = default;
    }

    /// <summary>Drops an unfinished document.</summary>
    internal void Abandon()
    {
        _arena.Free(_block);
        _block = default;
        _limit = 0;
        Position = 0;
    }

    /// <summary>Makes room and returns the place of the next byte. Valid until the next call that makes room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int bytes)
    {
        if (bytes > _limit - Position)
        {
            Grow(bytes);
        }

        return ref Unsafe.Add(ref _block.Reference, Position);
    }

    /// <summary>The bytes written from <paramref name="start"/> on.</summary>
    internal ReadOnlySpan<byte> Written(int start) => _block.Span[start..Position];

    /// <summary>Pushes a finished value that starts at <paramref name="position"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Push(int token, int position)
    {
        if (_entryCount == _entries.Length)
        {
            GrowEntries();
        }

        ref Entry entry = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_entries), _entryCount++);
        entry.Position = position;
        entry.Id = _frame.Id;
        entry.Input = _frame.Input;
        entry.Token = token;
    }

    /// <summary>Pushes a value that consists only of its token.</summary>
    internal void PushWithoutBytes(int token)
    {
        if (_frame.IsObject && _entryCount > _frame.FirstEntry)
        {
            ref Entry last = ref _entries[_entryCount - 1];
            if (last.Position == Position && last.Id > _frame.Id)
            {
                Reserve(1) = 0;
                Position++;
            }
        }

        Push(token, Position);
    }

    /// <summary>Names the next value of the open object, by a correctly predicted shape.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void NamePredicted(int shape, int name)
    {
        _frame.Shape = shape;
        _frame.Place = ObjectShapes.PlaceBehind(shape);
        _frame.Id = Names.IdOf(name);
    }

    /// <summary>Names the next value of the open object. False if it has that name already.</summary>
    /// <param name="name">The index of the name.</param>
    /// <param name="input">
    /// The place of the name in the input, kept for an error that is detected only at the end.
    /// </param>
    internal bool Name(int name, int input)
    {
        if (_frame.Shape >= 0)
        {
            int shape = Shapes.Follow(_frame.Shape, _frame.Place, name);
            if (shape == ObjectShapes.Duplicate)
            {
                _duplicate = name;
                return false;
            }

            _frame.Shape = shape;
            _frame.Place = ObjectShapes.PlaceBehind(shape);
        }

        _frame.Id = Names.IdOf(name);
        _frame.Input = input;
        return true;
    }

    internal void StartObject() => Open(isObject: true);

    internal void StartArray() => Open(isObject: false);

    /// <summary>Writes the metadata of the innermost object and closes it.</summary>
    /// <returns><see cref="NoDuplicate"/>, or the place of the first repeated name in the input.</returns>
    internal int EndObject()
    {
        int count = ChildCount;
        if (count == 0)
        {
            Close();
            PushWithoutBytes(BlittableToken.EmptyObject);
            return NoDuplicate;
        }

        Span<Entry> children = _entries.AsSpan(_frame.FirstEntry, count);
        ReadOnlySpan<byte> order = default;
        ReadOnlySpan<int> longOrder = default;
        if (_frame.Shape >= 0)
        {
            order = Shapes.OrderOf(_frame.Shape);
            Debug.Assert(order.Length == count, "SHAPE-1");
        }
        else
        {
            longOrder = _sorter.Sort(children, Names, out int duplicate);
            if (duplicate >= 0)
            {
                _duplicate = Names.IndexOfId(children[duplicate].Id);
                return children[duplicate].Input;
            }
        }

        ref byte target = ref Reserve((count * 9) + VariableLengthInteger.LengthMax);
        int start = Position;
        int offsetCode = BlittableToken.SizeCodeFor(start - children[0].Position);
        int idCode = Names.DocumentCount <= 256 ? 0 : IdSizeCode(children);
        int length = VariableLengthInteger.Write(ref target, (ulong)(uint)count);
        target = ref Unsafe.Add(ref target, length);
        length += longOrder.IsEmpty
            ? WriteEntries(ref target, start, children, order, offsetCode, idCode)
            : WriteEntries(ref target, start, children, longOrder, offsetCode, idCode);
        Position = start + length;
        Close();
        Push(BlittableToken.Object | (offsetCode << 4) | (idCode << 6), start);
        return NoDuplicate;
    }

    /// <summary>Writes the metadata of the innermost array and closes it.</summary>
    internal void EndArray()
    {
        int count = ChildCount;
        if (count == 0)
        {
            Close();
            PushWithoutBytes(BlittableToken.EmptyArray);
            return;
        }

        Span<Entry> children = _entries.AsSpan(_frame.FirstEntry, count);
        long room = (count * 5L) + VariableLengthInteger.LengthMax;
        ref byte target = ref Reserve((int)Math.Min(room, int.MaxValue));
        int start = Position;
        int offsetCode = BlittableToken.SizeCodeFor(start - children[0].Position);
        int length = VariableLengthInteger.Write(ref target, (ulong)(uint)count);
        int first = children[0].Token;
        bool uniform = true;
        foreach (ref Entry child in children)
        {
            ref byte place = ref Unsafe.Add(ref target, length);
            length += BlittableFormat.WriteSized(ref place, offsetCode, start - child.Position);
            uniform &= child.Token == first;
        }

        if (uniform)
        {
            Unsafe.Add(ref target, length++) = (byte)first;
        }
        else
        {
            foreach (ref Entry child in children)
            {
                Unsafe.Add(ref target, length++) = (byte)child.Token;
            }
        }

        Position = start + length;
        Close();
        Push(BlittableToken.Array | (offsetCode << 4) | (uniform ? BlittableToken.UniformElements : 0), start);
    }

    /// <summary>Writes names and trailer, and returns the document's root; its memory is cut to its size.</summary>
    internal BlittableValue Finish()
    {
        Debug.Assert(IsWhole, "A document is one value.");
        Entry root = _entries[0];
        int namesSize = (int)Math.Min(Names.TableSizeBytesMax, int.MaxValue - 96);
        Reserve(namesSize + 32);
        int length = Names.WriteTable(_block.WritableSpan[Position..], out int tableStart, out int tableSizeCode);
        int table = Position + tableStart;
        Position += length;
        int trailer = Position;
        ref byte target = ref Unsafe.Add(ref _block.Reference, trailer);
        int sizeCode = BlittableToken.SizeCodeFor(trailer - Math.Min(root.Position, table));
        int written = BlittableFormat.WriteSized(ref target, sizeCode, trailer - root.Position);
        written += BlittableFormat.WriteSized(ref Unsafe.Add(ref target, written), sizeCode, trailer - table);
        Unsafe.Add(ref target, written++) = (byte)root.Token;
        Unsafe.Add(ref target, written++) =
            (byte)(sizeCode | (tableSizeCode << 2) | (BlittableFormat.Version << 4));
        Position += written;

        NativeSlice document = _block;
        if (!_arena.TryExtend(ref document, Position))
        {
            document = _block.Slice(0, Position);
        }

        _block = default;
        _limit = 0;

        // The values that a reader gets from the trailer: read back at once it would wait for the stores to reach
        // the cache.
        int offsets = table + VariableLengthInteger.LengthOf((ulong)(uint)Names.DocumentCount);
        return new BlittableValue(
            BlittableDocument.Written(document, table, offsets), root.Position, (byte)root.Token);
    }

    private static int WriteEntries<T>(
        ref byte target, int start, ReadOnlySpan<Entry> children, ReadOnlySpan<T> order, int offsetCode, int idCode)
        where T : unmanaged
    {
        int length = 0;
        foreach (T place in order)
        {
            int index = typeof(T) == typeof(byte) ? (byte)(object)place : (int)(object)place;
            ref readonly Entry child = ref children[index];
            int offset = start - child.Position;
            if (offsetCode + idCode == 0)
            {
                int packed = offset | (child.Id << 8) | (child.Token << 16);
                Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, length), packed);
                length += 3;
                continue;
            }

            length += BlittableFormat.WriteSized(ref Unsafe.Add(ref target, length), offsetCode, offset);
            length += BlittableFormat.WriteSized(ref Unsafe.Add(ref target, length), idCode, child.Id);
            Unsafe.Add(ref target, length++) = (byte)child.Token;
        }

        return length;
    }

    private static int IdSizeCode(ReadOnlySpan<Entry> children)
    {
        int most = 0;
        foreach (ref readonly Entry child in children)
        {
            most = Math.Max(most, child.Id);
        }

        return BlittableToken.SizeCodeFor(most);
    }

    private void Open(bool isObject)
    {
        if (_depth == _frames.Length)
        {
            Array.Resize(ref _frames, _depth * 2);
        }

        CopyFrame(ref _frame, ref _frames[_depth++]);
        _frame.FirstEntry = _entryCount;
        _frame.IsObject = isObject;
        if (isObject)
        {
            _frame.Place = ObjectShapes.PlaceInside(_frame.Shape);
            _frame.Shape = ObjectShapes.Root;
        }

        _frame.Id = 0;
        _frame.Input = 0;
    }

    private void Close()
    {
        _entryCount = _frame.FirstEntry;
        CopyFrame(ref _frames[--_depth], ref _frame);
    }

    // Field by field: whole vectors would wait for the stores of the single fields just before to reach the cache.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyFrame(ref Frame source, ref Frame target)
    {
        target.FirstEntry = source.FirstEntry;
        target.Shape = source.Shape;
        target.Place = source.Place;
        target.Id = source.Id;
        target.Input = source.Input;
        target.IsObject = source.IsObject;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void GrowEntries() => Array.Resize(ref _entries, _entryCount * 2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int bytes)
    {
        long needed = (long)Position + bytes + Slack;
        long size = Math.Max(needed, Math.Min(_block.Length * 2L, _block.Length + (64L << 20)));
        if (needed > int.MaxValue - 64)
        {
            throw new InvalidOperationException("A document does not grow beyond 2 GB.");
        }

        int grown = (int)Math.Min(size, int.MaxValue - 64);
        if (!_arena.TryExtend(ref _block, grown))
        {
            NativeSlice moved = _arena.Allocate(grown);
            _block.Span[..Position].CopyTo(moved.WritableSpan);
            _block = moved;
        }

        _limit = _block.Length - Slack;
    }
}
