using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Security.Cryptography;
using Raven.Blittable.Format;

namespace Raven.Blittable.Writing;

//   NAMES-1  A name is interned once per cache; its index does not change until the cache is cleared between documents.
//   NAMES-2  The hash is keyed by a secret of the process and a probe reads no more than ProbesMax slots: names made to
//            collide cost a longer name table (a name may then be listed twice), but no time.
//   NAMES-3  The ids of a document are given in the order in which its names first occur.

/// <summary>
/// The property names that a writer has seen, across documents, and which of them the current document uses. The second
/// of many similar documents finds its names here, and its name table is a copy of the previous one.
/// </summary>
internal sealed class PropertyNames
{
    private const int ProbesMax = 32;
    private const int KeptNamesMax = 16 * 1024;
    private const int KeptBytesMax = 1 << 20;
    private const int KeptTableBytesMax = 64 * 1024;

    private static readonly ulong s_secret1 = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)) | 1;
    private static readonly ulong s_secret2 = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)) | 1;

    private readonly HashFunction? _hash;
    private Name[] _names = new Name[64];
    private int _count;
    private byte[] _bytes = new byte[2048];
    private int _bytesCount;
    private int[] _slots = new int[256];
    private int[] _runs = new int[16];

    private int[] _documentNames = new int[64];
    private int _documentCount;
    private int _documentBytes;
    private int _serial = 1;

    private int[] _previousNames = new int[64];
    private int _previousCount;
    private byte[] _previousTable = new byte[1024];
    private int _previousTableLength;
    private int _previousTableStart;
    private int _previousSizeCode;

    /// <summary>Makes an empty cache.</summary>
    /// <param name="hash">Replaces the keyed hash, for tests of the cost of collisions.</param>
    internal PropertyNames(HashFunction? hash = null) => _hash = hash;

    /// <summary>A hash of a name's bytes.</summary>
    internal delegate ulong HashFunction(ReadOnlySpan<byte> text);

    private struct Name
    {
        internal ulong Prefix;
        internal ulong Hash;
        internal int Start;
        internal int StoredLength;
        internal int TextStart;
        internal int TextLength;
        internal int Serial;
        internal int Id;
    }

    /// <summary>The names that the current document uses so far.</summary>
    internal int DocumentCount => _documentCount;

    /// <summary>About how many bytes of managed memory the cache holds.</summary>
    internal long RetainedBytes => _bytes.Length + (_names.Length * (long)Unsafe.SizeOf<Name>());

    /// <summary>Starts the next document. True if the cache was cleared, and with it all indexes.</summary>
    /// <param name="keeps">False to forget all earlier documents.</param>
    internal bool Begin(bool keeps = true)
    {
        _documentCount = 0;
        _documentBytes = 0;
        _serial++;
        if (!keeps && _serial != int.MaxValue)
        {
            Array.Clear(_slots);
            _previousCount = 0;
            _previousTableLength = 0;
            _count = 0;
            _bytesCount = 0;
            return true;
        }

        if (_count <= KeptNamesMax && _bytesCount <= KeptBytesMax && _serial != int.MaxValue)
        {
            return false;
        }

        _names = new Name[64];
        _bytes = new byte[2048];
        _slots = new int[256];
        _documentNames = new int[64];
        _previousNames = new int[64];
        _previousCount = 0;
        _previousTableLength = 0;
        _count = 0;
        _bytesCount = 0;
        _serial = 1;
        return true;
    }

    /// <summary>The index of a name, interned now if it is new.</summary>
    /// <param name="text">The name, valid UTF-8, unescaped.</param>
    internal int Intern(ReadOnlySpan<byte> text)
    {
        ulong hash = _hash is null ? Hash(text) : _hash(text);
        uint mask = (uint)_slots.Length - 1;
        uint slot = (uint)hash & mask;
        for (int probe = 0; probe < ProbesMax; probe++, slot = (slot + 1) & mask)
        {
            int index = _slots[slot] - 1;
            if (index < 0)
            {
                int added = Add(text, hash);
                _slots[slot] = added + 1;
                GrowSlots();
                return added;
            }

            if (_names[index].Hash == hash && TextOf(index).SequenceEqual(text))
            {
                return index;
            }
        }

        return Add(text, hash);
    }

    /// <summary>The unescaped text of a name.</summary>
    internal ReadOnlySpan<byte> TextOf(int index)
    {
        ref Name name = ref _names[index];
        return _bytes.AsSpan(name.TextStart, name.TextLength);
    }

    /// <summary>The name of an id of the current document.</summary>
    internal ReadOnlySpan<byte> TextOfId(int id) => TextOf(_documentNames[id]);

    /// <summary>The index of the name behind an id of the current document.</summary>
    internal int IndexOfId(int id) => _documentNames[id];

    /// <summary>
    /// The name with a quote behind it. Returns the length of both, or 0 if they are longer than a vector or JSON would
    /// escape a character of the name.
    /// </summary>
    internal int ToPattern(int index, out Vector256<byte> pattern)
    {
        ReadOnlySpan<byte> text = TextOf(index);
        pattern = default;
        if (text.Length >= Vector256<byte>.Count || EscapePositions.IndexOf(text) >= 0)
        {
            return 0;
        }

        Span<byte> padded = stackalloc byte[Vector256<byte>.Count];
        padded.Clear();
        text.CopyTo(padded);
        padded[text.Length] = (byte)'"';
        pattern = Vector256.Create<byte>(padded);
        return text.Length + 1;
    }

    /// <summary>
    /// The length of a name of 32 to 255 bytes with a quote behind it; 0 if it is another or JSON would escape a
    /// character of it.
    /// </summary>
    internal int LongPatternLength(int index)
    {
        ReadOnlySpan<byte> text = TextOf(index);
        bool isLong = text.Length is >= 32 and <= byte.MaxValue && EscapePositions.IndexOf(text) < 0;
        return isLong ? text.Length + 1 : 0;
    }

    /// <summary>The id of a name in the current document, given now if this is its first use.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int IdOf(int index)
    {
        ref Name name = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_names), index);
        return name.Serial == _serial ? name.Id : AddToDocument(index);
    }

    /// <summary>Orders two names by their bytes, as <c>SequenceCompareTo</c> does.</summary>
    internal int Compare(int left, int right)
    {
        ulong leftPrefix = _names[left].Prefix;
        ulong rightPrefix = _names[right].Prefix;
        return leftPrefix != rightPrefix
            ? leftPrefix < rightPrefix ? -1 : 1
            : TextOf(left).SequenceCompareTo(TextOf(right));
    }

    /// <summary>Room that <see cref="WriteTable"/> needs.</summary>
    internal long TableSizeBytesMax => _documentBytes + ((long)_documentCount * 4) + 16;

    /// <summary>Writes the names of the document and their table; returns the length of both.</summary>
    /// <param name="target">The first byte to write, with <see cref="TableSizeBytesMax"/> of room.</param>
    /// <param name="tableStart">The place of the table, behind the names, from <paramref name="target"/>.</param>
    /// <param name="sizeCode">Size code of the table's offsets.</param>
    internal int WriteTable(Span<byte> target, out int tableStart, out int sizeCode)
    {
        if (_previousTableLength != 0 && IsSameAsPrevious())
        {
            _previousTable.AsSpan(0, _previousTableLength).CopyTo(target);
            tableStart = _previousTableStart;
            sizeCode = _previousSizeCode;
            return _previousTableLength;
        }

        int position = 0;
        for (int id = 0; id < _documentCount; id++)
        {
            ref Name name = ref _names[_documentNames[id]];
            if (name.StoredLength <= Vector256<byte>.Count && target.Length - position >= Vector256<byte>.Count)
            {
                // Every name has so many bytes behind its start; excess bytes are overwritten by the next name.
                Vector256.LoadUnsafe(ref _bytes[name.Start]).StoreUnsafe(ref target[position]);
            }
            else
            {
                _bytes.AsSpan(name.Start, name.StoredLength).CopyTo(target[position..]);
            }

            position += name.StoredLength;
        }

        tableStart = position;
        sizeCode = BlittableToken.SizeCodeFor(tableStart);
        position += VariableLengthInteger.Write(ref target[position], (ulong)_documentCount);
        int distance = tableStart;
        for (int id = 0; id < _documentCount; id++)
        {
            position += BlittableFormat.WriteSized(ref target[position], sizeCode, distance);
            distance -= _names[_documentNames[id]].StoredLength;
        }

        Keep(target[..position], tableStart, sizeCode);
        return position;
    }

    private bool IsSameAsPrevious() =>
        _documentCount == _previousCount &&
        _documentNames.AsSpan(0, _documentCount).SequenceEqual(_previousNames.AsSpan(0, _documentCount));

    private void Keep(ReadOnlySpan<byte> table, int tableStart, int sizeCode)
    {
        _previousTableLength = 0;
        if (table.Length > KeptTableBytesMax)
        {
            return;
        }

        if (_previousTable.Length < table.Length)
        {
            _previousTable = new byte[Math.Max(table.Length, _previousTable.Length * 2)];
        }

        table.CopyTo(_previousTable);
        _previousTableLength = table.Length;
        _previousTableStart = tableStart;
        _previousSizeCode = sizeCode;
        _previousCount = _documentCount;
        (_previousNames, _documentNames) = (_documentNames, _previousNames);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int AddToDocument(int index)
    {
        if (_documentCount == _documentNames.Length)
        {
            Array.Resize(ref _documentNames, _documentCount * 2);
        }

        ref Name name = ref _names[index];
        name.Serial = _serial;
        name.Id = _documentCount;
        _documentBytes += name.StoredLength;
        _documentNames[_documentCount] = index;
        return _documentCount++;
    }

    private int Add(ReadOnlySpan<byte> text, ulong hash)
    {
        if (_count == _names.Length)
        {
            Array.Resize(ref _names, _count * 2);
        }

        int runs = EscapePositions.Find(text, ref _runs);
        long room = _bytesCount + text.Length + EscapePositions.LengthMax(runs) + 32;
        if (room > _bytes.Length)
        {
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max(room, _bytes.Length * 2L), Array.MaxLength));
        }

        bool escapes = runs > 0;
        ref Name name = ref _names[_count];
        name = default;
        name.Start = _bytesCount;
        name.Hash = hash;
        name.TextLength = text.Length;
        ulong header = ((ulong)(uint)text.Length << 1) | (escapes ? 1u : 0u);
        name.TextStart = _bytesCount + VariableLengthInteger.Write(ref _bytes[_bytesCount], header);
        text.CopyTo(_bytes.AsSpan(name.TextStart));
        int end = name.TextStart + text.Length;
        end += escapes ? EscapePositions.Write(ref _bytes[end], _runs.AsSpan(0, runs)) : 0;
        name.StoredLength = end - name.Start;
        _bytesCount = end;

        Span<byte> prefix = stackalloc byte[8];
        prefix.Clear();
        text[..Math.Min(8, text.Length)].CopyTo(prefix);
        name.Prefix = BinaryPrimitives.ReadUInt64BigEndian(prefix);
        return _count++;
    }

    private void GrowSlots()
    {
        if (_count * 2 <= _slots.Length)
        {
            return;
        }

        int[] slots = new int[_slots.Length * 2];
        uint mask = (uint)slots.Length - 1;
        for (int index = 0; index < _count; index++)
        {
            uint slot = (uint)_names[index].Hash & mask;
            for (int probe = 0; probe < ProbesMax; probe++, slot = (slot + 1) & mask)
            {
                if (slots[slot] == 0)
                {
                    slots[slot] = index + 1;
                    break;
                }
            }
        }

        _slots = slots;
    }

    // Multiply-and-fold over 8-byte words; without the two secrets an attacker cannot aim at a slot.
    private static ulong Hash(ReadOnlySpan<byte> text)
    {
        ref byte start = ref MemoryMarshal.GetReference(text);
        int length = text.Length;
        ulong state = s_secret1 ^ (ulong)(uint)length;
        while (length > 8)
        {
            state = Fold(state ^ Unsafe.ReadUnaligned<ulong>(ref start), s_secret2);
            start = ref Unsafe.Add(ref start, 8);
            length -= 8;
        }

        ulong last = 0;
        if (length == 8)
        {
            last = Unsafe.ReadUnaligned<ulong>(ref start);
        }
        else if (length >= 4)
        {
            last = Unsafe.ReadUnaligned<uint>(ref start)
                | ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, length - 4)) << 32);
        }
        else if (length > 0)
        {
            last = start | ((ulong)Unsafe.Add(ref start, length >> 1) << 8)
                | ((ulong)Unsafe.Add(ref start, length - 1) << 16);
        }

        return Fold(Fold(state ^ last, s_secret2), s_secret1);
    }

    private static ulong Fold(ulong left, ulong right)
    {
        ulong high = Math.BigMul(left, right, out ulong low);
        return high ^ low;
    }
}
