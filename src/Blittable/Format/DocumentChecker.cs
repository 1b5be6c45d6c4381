using System.Buffers;
using System.Buffers.Binary;
using System.Text.Unicode;
using Raven.Blittable.Memory;

namespace Raven.Blittable.Format;

//   CHECK-1  Only span accesses: a check that is missing here throws, it does not read outside.
//   CHECK-2  Values follow each other without gap or overlap from byte 0 to the root's end, then the names up to
//            the name table, the table to the trailer. `Low` is where the next part must start; it only grows.

/// <summary>Walks arbitrary bytes and stops at the first thing that the writer would not have written.</summary>
internal ref struct DocumentChecker
{
    private readonly ReadOnlySpan<byte> _document;
    private readonly int _depthMax;
    private int _nameTable;
    private int _nameOffsets;
    private int _nameCount;
    private int _nameSizeCode;
    private int _low;

    internal DocumentChecker(ReadOnlySpan<byte> document, int depthMax)
    {
        _document = document;
        _depthMax = depthMax;
        Error = default;
    }

    internal BlittableError Error { get; private set; }

    internal bool Check()
    {
        if (_document.Length < BlittableFormat.DocumentSizeBytesMin)
        {
            return Fail(0, "It is shorter than any document.");
        }

        int last = _document.Length - 1;
        int flags = _document[last];
        int sizeCode = flags & 3;
        _nameSizeCode = (flags >> 2) & 3;
        int trailer = last - 1 - (2 << sizeCode);
        if (flags >> 4 != BlittableFormat.Version || sizeCode == 3 || _nameSizeCode == 3 || trailer < 0)
        {
            return Fail(last, $"The trailer is not that of a document of version {BlittableFormat.Version}.");
        }

        long root = trailer - ReadSized(trailer, sizeCode);
        long table = trailer - ReadSized(trailer + (1 << sizeCode), sizeCode);
        if (table < 0 || root < 0 || root > table)
        {
            return Fail(trailer, "The trailer points outside of the document.");
        }

        _nameTable = (int)table;
        return CheckNameTable(trailer)
            && CheckValue(_document[last - 1], (int)root, 0)
            && CheckNames();
    }

    private bool CheckNameTable(int trailer)
    {
        if (!TryReadLength(_nameTable, trailer, out _nameCount, out _nameOffsets))
        {
            return false;
        }

        long end = _nameOffsets + ((long)_nameCount << _nameSizeCode);
        return end == trailer || Fail(_nameTable, "The name table does not end where the trailer starts.");
    }

    /// <summary>Names lie one behind the other, in the order of their ids, between the root and the table.</summary>
    private bool CheckNames()
    {
        for (int id = 0; id < _nameCount; id++)
        {
            if (!TryGetName(id, out int position, out ReadOnlySpan<byte> name, out bool escapes))
            {
                return false;
            }

            if (position != _low)
            {
                return Fail(position, "A name does not follow what is before it.");
            }

            int end = position + VariableLengthInteger.LengthOf(((ulong)name.Length << 1) | 1) + name.Length;
            if (!CheckText(name, end, _nameTable, escapes, out _low))
            {
                return false;
            }
        }

        return _low == _nameTable || Fail(_low, "There are bytes between the names and their table.");
    }

    private bool CheckValue(int token, int position, int depth)
    {
        int kind = token & BlittableToken.KindMask;
        int bits = token & ~BlittableToken.KindMask;
        if (kind is BlittableToken.Object or BlittableToken.Array)
        {
            return CheckContainer(token, kind, bits, position, depth);
        }

        bool isText = kind is BlittableToken.String or BlittableToken.ShortString
            or BlittableToken.Lz4String or BlittableToken.LongDictionaryString;
        bool known = kind is not (0 or > BlittableToken.LongDictionaryString);
        int bitsMax = kind is BlittableToken.ShortString or BlittableToken.LongDictionaryString
            ? BlittableToken.HasEscapes | BlittableToken.ByPairs
            : isText ? BlittableToken.HasEscapes : 0;
        if (!known || (bits & ~bitsMax) != 0)
        {
            return Fail(position, $"Token {token} does not exist.");
        }

        if (BlittableToken.HasNoBytes(token))
        {
            return CheckWithoutBytes(position);
        }

        if (position != _low)
        {
            return Fail(position, "A value does not follow what is before it.");
        }

        return kind switch
        {
            BlittableToken.Integer => CheckInteger(position, out _),
            BlittableToken.Decimal => CheckDecimal(position),
            BlittableToken.NumberText => CheckNumberText(position),
            BlittableToken.String => CheckString(position, bits != 0),
            _ => CheckCompressed(position, token, (bits & BlittableToken.HasEscapes) != 0),
        };
    }

    // A filler byte may stand before it, which keeps values without bytes in their original order.
    private bool CheckWithoutBytes(int position)
    {
        if (position == _low)
        {
            return true;
        }

        if (position != _low + 1 || position > _nameTable || _document[_low] != 0)
        {
            return Fail(position, "A value without bytes points elsewhere.");
        }

        _low = position;
        return true;
    }

    private bool CheckContainer(int token, int kind, int bits, int position, int depth)
    {
        int offsetCode = BlittableToken.OffsetSizeCode(token);
        bool known = kind == BlittableToken.Object
            ? BlittableToken.IdSizeCode(token) != 3
            : kind == BlittableToken.Array && (bits & 0x80) == 0;
        if (!known || (offsetCode == BlittableToken.SizeCodeEmpty && bits >> 4 != BlittableToken.SizeCodeEmpty))
        {
            return Fail(position, $"Token {token} does not exist.");
        }

        if (depth >= _depthMax)
        {
            return Fail(position, $"Objects and arrays nest deeper than {_depthMax}.");
        }

        if (offsetCode == BlittableToken.SizeCodeEmpty)
        {
            return CheckWithoutBytes(position);
        }

        if (position < _low || !TryReadLength(position, _nameTable, out int count, out int entries) || count == 0)
        {
            return Fail(position, "An object or array has no valid count.");
        }

        bool isObject = kind == BlittableToken.Object;
        int tokens = (token & BlittableToken.UniformElements) != 0 ? 1 : count;
        long size = isObject
            ? (long)count * ((1 << offsetCode) + (1 << BlittableToken.IdSizeCode(token)) + 1)
            : ((long)count << offsetCode) + tokens;
        if (entries + size > _nameTable)
        {
            return Fail(position, "An object or array runs past the values.");
        }

        bool valid = isObject
            ? CheckMembers(token, position, entries, count, depth)
            : CheckElements(token, position, entries, count, depth);
        if (valid && _low != position)
        {
            return Fail(position, "An object or array does not follow its last value.");
        }

        _low = entries + (int)size;
        return valid;
    }

    private bool CheckElements(int token, int position, int offsets, int count, int depth)
    {
        int code = BlittableToken.OffsetSizeCode(token);
        int step = (token & BlittableToken.UniformElements) != 0 ? 0 : 1;
        for (int i = 0; i < count; i++)
        {
            long start = position - ReadSized(offsets + (i << code), code);
            int child = _document[offsets + (count << code) + (i * step)];
            if (start < 0)
            {
                return Fail(offsets + (i << code), "An offset points before the document.");
            }

            if (!CheckValue(child, (int)start, depth + 1))
            {
                return false;
            }
        }

        return true;
    }

    private bool CheckMembers(int token, int position, int entries, int count, int depth)
    {
        ulong[] keys = ArrayPool<ulong>.Shared.Rent(count);
        int[] order = ArrayPool<int>.Shared.Rent(count);
        bool valid = CheckEntries(token, position, entries, keys.AsSpan(0, count), order.AsSpan(0, count));
        if (valid)
        {
            keys.AsSpan(0, count).Sort(order.AsSpan(0, count));
            int stride = EntrySize(token);
            for (int i = 0; valid && i < count; i++)
            {
                int child = _document[entries + (order[i] * stride) + stride - 1];
                valid = CheckValue(child, (int)(keys[i] >> 33), depth + 1);
            }
        }

        ArrayPool<ulong>.Shared.Return(keys);
        ArrayPool<int>.Shared.Return(order);
        return valid;
    }

    /// <summary>Names ascend, so that none occurs twice; gives the keys of the original order.</summary>
    private bool CheckEntries(int token, int position, int entries, Span<ulong> keys, Span<int> order)
    {
        int offsetCode = BlittableToken.OffsetSizeCode(token);
        int idCode = BlittableToken.IdSizeCode(token);
        int stride = EntrySize(token);
        ReadOnlySpan<byte> previous = default;
        for (int i = 0; i < keys.Length; i++)
        {
            int entry = entries + (i * stride);
            long start = position - ReadSized(entry, offsetCode);
            long id = ReadSized(entry + (1 << offsetCode), idCode);
            if (start < 0 || id >= _nameCount)
            {
                return Fail(entry, "An entry points outside of the document.");
            }

            if (!TryGetName((int)id, out _, out ReadOnlySpan<byte> name, out _))
            {
                return false;
            }

            if (i > 0 && previous.SequenceCompareTo(name) >= 0)
            {
                return Fail(entry, "The properties are not in the order of their names.");
            }

            previous = name;
            ulong hasBytes = BlittableToken.HasNoBytes(_document[entry + stride - 1]) ? 0u : 1u;
            keys[i] = ((ulong)start << 33) | (hasBytes << 32) | (uint)id;
            order[i] = i;
        }

        return true;
    }

    private static int EntrySize(int token) =>
        (1 << BlittableToken.OffsetSizeCode(token)) + (1 << BlittableToken.IdSizeCode(token)) + 1;

    private bool CheckInteger(int position, out long value)
    {
        if (!VariableLengthInteger.TryRead(_document[position.._nameTable], out ulong folded, out int length))
        {
            value = 0;
            return Fail(position, "A number is cut off, too long or longer than needed.");
        }

        value = VariableLengthInteger.UnZigZag(folded);
        _low = position + length;
        return true;
    }

    private bool CheckDecimal(int position)
    {
        const long tooManyDigits = 1_000_000_000_000_000_000;
        if (position >= _nameTable || _document[position] is < 1 or > 17)
        {
            return Fail(position, "A decimal has a scale outside of 1 to 17.");
        }

        return CheckInteger(position + 1, out long digits)
            && (digits is > -tooManyDigits and < tooManyDigits || Fail(position, "A decimal has too many digits."));
    }

    private bool CheckNumberText(int position)
    {
        if (!TryReadLength(position, _nameTable, out int length, out int start) || length > _nameTable - start)
        {
            return Fail(position, "A number runs past the values.");
        }

        _low = start + length;
        return NumberGrammar.IsNumber(_document.Slice(start, length)) ||
            Fail(start, "A number is not written as JSON writes it.");
    }

    private bool CheckString(int position, bool escapes)
    {
        if (!TryReadLength(position, _nameTable, out int length, out int start) ||
            length == 0 || length > _nameTable - start)
        {
            return Fail(position, "A string runs past the values.");
        }

        return CheckText(_document.Slice(start, length), start + length, _nameTable, escapes, out _low);
    }

    // A stated length is compared with the decoded bytes, and bounds the memory that is taken for it before that.
    private bool CheckCompressed(int position, int token, bool escapes)
    {
        int kind = token & BlittableToken.KindMask;
        const int lz4ExpansionMax = 255;
        int length = BlittableFormat.ShortStringLengthMax;
        int start = position;
        if ((kind != BlittableToken.ShortString && !TryReadLength(position, _nameTable, out length, out start)) ||
            !TryReadLength(start, _nameTable, out int encoded, out start) || encoded > _nameTable - start ||
            length > (long)Math.Max(1, encoded) * lz4ExpansionMax)
        {
            return Fail(position, "A compressed string runs past the values.");
        }

        byte[] room = ScratchArrays.Rent(length);
        Span<byte> target = room.AsSpan(0, length);
        ReadOnlySpan<byte> source = _document.Slice(start, encoded);
        bool valid = CompressedText.TryDecode(token, source, target, out int written)
            && (written == length || kind == BlittableToken.ShortString);
        valid = (valid && written > 0) || Fail(start, "A compressed string does not decompress.");
        valid = valid && CheckText(target[..written], start + encoded, _nameTable, escapes, out _low);
        ScratchArrays.Return(room);
        return valid;
    }

    /// <summary>Valid UTF-8, and behind it the escape positions if and only if there are any.</summary>
    private bool CheckText(scoped ReadOnlySpan<byte> text, int position, int end, bool escapes, out int after)
    {
        after = position;
        if (!Utf8.IsValid(text))
        {
            return Fail(position - text.Length, "A text is not valid UTF-8.");
        }

        if (!escapes)
        {
            return EscapePositions.IndexOf(text) < 0 || Fail(position, "A text has escapes that are not listed.");
        }

        if (!TryReadLength(position, end, out int count, out after) || count == 0)
        {
            return Fail(position, "The escape positions of a text are malformed.");
        }

        for (int i = 0; i < count; i++)
        {
            if (!TryReadLength(after, end, out int run, out after) || EscapePositions.IndexOf(text) != run)
            {
                return Fail(position, "The escape positions of a text are not where its escapes are.");
            }

            text = text[(run + 1)..];
        }

        return EscapePositions.IndexOf(text) < 0 || Fail(position, "A text has escapes that are not listed.");
    }

    private bool TryGetName(int id, out int position, out ReadOnlySpan<byte> name, out bool escapes)
    {
        name = default;
        escapes = false;
        long start = _nameTable - ReadSized(_nameOffsets + (id << _nameSizeCode), _nameSizeCode);
        position = (int)Math.Clamp(start, 0, _nameTable);
        if (start < 0 || !TryReadLength(position, _nameTable, out int header, out int text) ||
            header >> 1 > _nameTable - text)
        {
            return Fail(_nameOffsets + (id << _nameSizeCode), "A name lies outside of the document.");
        }

        name = _document.Slice(text, header >> 1);
        escapes = (header & 1) != 0;
        return true;
    }

    private bool TryReadLength(int position, int end, out int value, out int after)
    {
        if (position < 0 || position >= end ||
            !VariableLengthInteger.TryRead(_document[position..end], out ulong wide, out int length) ||
            wide > int.MaxValue)
        {
            value = 0;
            after = position;
            return Fail(position, "A length is cut off or too large.");
        }

        value = (int)wide;
        after = position + length;
        return true;
    }

    private readonly long ReadSized(int position, int sizeCode) => sizeCode switch
    {
        0 => _document[position],
        1 => BinaryPrimitives.ReadUInt16LittleEndian(_document[position..]),
        _ => BinaryPrimitives.ReadUInt32LittleEndian(_document[position..]),
    };

    // The innermost reason is the most exact: the first is kept.
    private bool Fail(int position, string reason)
    {
        if (Error.Reason is null)
        {
            Error = new BlittableError(position, reason);
        }

        return false;
    }
}
