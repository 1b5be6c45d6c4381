using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Text;

namespace Raven.Blittable.Json;

//   JSON-1  `at` is where the next byte goes. Ensure gives Slack bytes of room: enough for a short name, a short value
//           and a comma, so that a member needs it once; whole vectors are stored and only `at` moves by what counts.
//   JSON-2  A vector is loaded from the document only if it lies inside of it.
//   JSON-3  A value needs 100 bytes of room and leaves one, for the comma; so do all the others, by an Ensure of
//           their own at the end.

/// <summary>
/// Writes values of one document as compact JSON. The position goes from call to call as a value, so that it stays in a
/// register; when the buffer is full, another is taken from the target.
/// </summary>
internal ref struct DocumentOutput
{
    private const int Slack = 144;
    private const int MediumLengthMax = 3 * 32;
    private const int BufferSizeBytesMin = 1024;

    /// <summary>The most to request at once. With the slack it is no more than a buffer of a power of two.</summary>
    private const int MostAtOnce = (64 * 1024) - Slack;

    private readonly IBufferWriter<byte> _target;
    private readonly bool _originalOrder;
    private readonly BlittableDocument _source;
    private readonly ref byte _document;
    private readonly int _length;
    private readonly int _nameSizeCode;
    private Span<byte> _buffer;

    internal DocumentOutput(
        IBufferWriter<byte> target, Span<byte> buffer, BlittableDocument source, bool originalOrder)
    {
        _target = target;
        _buffer = buffer;
        _source = source;
        _originalOrder = originalOrder;
        _document = ref source.First;
        _length = source.Memory.Length;
        _nameSizeCode = source.NameSizeCode;
    }

    /// <summary>The rest of the target's buffer; what was written into it is not advanced yet.</summary>
    internal readonly Span<byte> Buffer => _buffer;

    /// <summary>Writes a value; returns the position behind it.</summary>
    internal int Root(int at, int position, byte token) => Value(Ensure(at, 0), position, token);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal int Value(int at, int position, byte token)
    {
        if ((token & (BlittableToken.KindMask | BlittableToken.HasEscapes)) == BlittableToken.String)
        {
            int length = Unsafe.Add(ref _document, position);
            if (length <= Vector256<byte>.Count && position + 1 + Vector256<byte>.Count <= _length)
            {
                Out(at) = (byte)'"';
                Vector256.LoadUnsafe(ref _document, (nuint)position + 1).StoreUnsafe(ref Out(at), 1);
                Out(at + length + 1) = (byte)'"';
                return at + length + 2;
            }
        }

        if (token <= BlittableToken.True)
        {
            // The length is in the highest byte, which the next write overwrites.
            ulong word = Words[token];
            Unsafe.WriteUnaligned(ref Out(at), word);
            return at + (int)(word >> 56);
        }

        return token == BlittableToken.Integer ? Integer(at, position) : OtherValue(at, position, token);
    }

    private static ReadOnlySpan<ulong> Words => [0, 0x04_000000_6C6C756E, 0x05_0000_65736C6166, 0x04_000000_65757274];

    // Every case ends in a tail call, so that this method saves no registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int OtherValue(int at, int position, byte token) => (token & BlittableToken.KindMask) switch
    {
        BlittableToken.String => String(at, position, token),
        BlittableToken.Object => Object(at, position, token),
        BlittableToken.Array => Array(at, position, token),
        BlittableToken.Integer => Integer(at, position),
        BlittableToken.Decimal => Decimal(at, position),
        BlittableToken.NumberText => TextOfNumber(at, position),
        BlittableToken.ShortString or BlittableToken.Lz4String or BlittableToken.LongDictionaryString =>
            Compressed(at, position, token),
        _ => Quotes(at),
    };

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int String(int at, int position, byte token)
    {
        int text = VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref _document, position), out int length);
        if ((token & BlittableToken.HasEscapes) != 0)
        {
            return EscapedText(at, position + text, length);
        }

        position += text;
        if (length > MediumLengthMax || position + MediumLengthMax > _length)
        {
            return LongText(at, position, length);
        }

        ref byte target = ref Out(at);
        target = (byte)'"';
        Vector256.LoadUnsafe(ref _document, (nuint)position).StoreUnsafe(ref target, 1);
        Vector256.LoadUnsafe(ref _document, (nuint)position + 32).StoreUnsafe(ref target, 33);
        Vector256.LoadUnsafe(ref _document, (nuint)position + 64).StoreUnsafe(ref target, 65);
        Unsafe.Add(ref target, length + 1) = (byte)'"';
        return at + length + 2;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Integer(int at, int position)
    {
        VariableLengthInteger.Read(ref Unsafe.Add(ref _document, position), out ulong folded);
        return at + NumberText.Write(ref Out(at), VariableLengthInteger.UnZigZag(folded));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Decimal(int at, int position)
    {
        BlittableNumber.ReadDecimal(ref Unsafe.Add(ref _document, position), out long digits, out int scale);
        return at + NumberText.WriteDecimal(ref Out(at), digits, scale);
    }

    private int Quotes(int at)
    {
        Unsafe.WriteUnaligned(ref Out(at), (ushort)(('"' << 8) | '"'));
        return at + 2;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int TextOfNumber(int at, int position) =>
        Ensure(Copy(at, BlittableNumber.TextOf(ref Unsafe.Add(ref _document, position))), 0);

    /// <summary>Writes a stored name with its quotes and a colon; returns the position behind it.</summary>
    internal int Name(int at, int position)
    {
        int text = VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref _document, position), out int header);
        at = Ensure(at, 0);
        at = (header & 1) == 0
            ? Text(at, position + text, header >> 1)
            : EscapedText(at, position + text, header >> 1);
        at = Ensure(at, 0);
        Out(at) = (byte)':';
        return at + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Object(int at, int metadata, byte token)
    {
        Out(at++) = (byte)'{';
        if (BlittableToken.OffsetSizeCode(token) != BlittableToken.SizeCodeEmpty)
        {
            ref byte start = ref Unsafe.Add(ref _document, metadata);
            int entries = metadata + VariableLengthInteger.ReadInt32(ref start, out int count);
            at = _originalOrder && count > 1
                ? OriginalMembers(at, metadata, entries, count, token)
                : Members(at, metadata, entries, count, token);
            Out(at - 1) = (byte)'}';
            return Ensure(at, 0);
        }

        Out(at) = (byte)'}';
        return at + 1;
    }

    /// <summary>Writes the members of an object but one, each with a comma behind it.</summary>
    internal int Members(int at, BlittableObject members, int except)
    {
        for (int i = 0; i < members.Count; i++)
        {
            if (i != except)
            {
                members.ReadEntry(i, out int position, out int id, out byte token);
                at = Member(at, id, position, token);
            }
        }

        return at;
    }

    // Each member leaves a comma behind; the last one's is overwritten by the closing brace.
    private int Members(int at, int metadata, int entries, int count, byte token)
    {
        int offsetCode = BlittableToken.OffsetSizeCode(token);
        int idCode = BlittableToken.IdSizeCode(token);
        int stride = (1 << offsetCode) + (1 << idCode) + 1;
        if (offsetCode <= 1 && idCode == 0)
        {
            return SmallMembers(at, metadata, entries, entries + (count * stride), stride);
        }

        for (int i = 0; i < count; i++)
        {
            ref byte entry = ref Unsafe.Add(ref _document, entries + (i * stride));
            int position = metadata - BlittableFormat.ReadSized(ref entry, offsetCode);
            int id = BlittableFormat.ReadSized(ref Unsafe.Add(ref entry, 1 << offsetCode), idCode);
            at = Member(at, id, position, Unsafe.Add(ref entry, stride - 1));
        }

        return at;
    }

    // Entries of 3 or 4 bytes, which nearly all are, read as one word; a name table and a trailer are behind them.
    private int SmallMembers(int at, int metadata, int entries, int end, int stride)
    {
        int unused = (4 - stride) * 8;
        int offsetMask = stride == 4 ? 0xFFFF : 0xFF;
        for (; entries < end; entries += stride)
        {
            uint entry = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref _document, entries)) << unused;
            at = Member(
                at, (byte)(entry >> 16), metadata - ((int)(entry >> unused) & offsetMask), (byte)(entry >> 24));
        }

        return at;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Member(int at, int id, int position, byte token)
    {
        int name = NameTable.PositionOf(ref _document, _source.NameOffsets, _source.NameTable, _nameSizeCode, id);
        int header = Unsafe.Add(ref _document, name);
        at = Ensure(at, 0);
        if ((header & 0x81) == 0 && header <= 62 && name + 33 <= _length)
        {
            Out(at) = (byte)'"';
            Vector256.LoadUnsafe(ref _document, (nuint)name + 1).StoreUnsafe(ref Out(at), 1);
            at += (header >> 1) + 3;
            Unsafe.WriteUnaligned(ref Out(at - 2), (ushort)((':' << 8) | '"'));
        }
        else if ((header & 0x81) == 0 && header <= 30 && name + 17 <= _length)
        {
            Out(at) = (byte)'"';
            Vector128.LoadUnsafe(ref _document, (nuint)name + 1).StoreUnsafe(ref Out(at), 1);
            at += (header >> 1) + 3;
            Unsafe.WriteUnaligned(ref Out(at - 2), (ushort)((':' << 8) | '"'));
        }
        else
        {
            at = Ensure(Name(at, name), 0);
        }

        at = Value(at, position, token);
        Out(at) = (byte)',';
        return at + 1;
    }

    [SkipLocalsInit]
    private int OriginalMembers(int at, int metadata, int entries, int count, byte token)
    {
        BlittableObject members = new(_source, metadata, token);
        OriginalOrder order = new(members, stackalloc ulong[OriginalOrder.OnStack]);
        int offsetCode = BlittableToken.OffsetSizeCode(token);
        int idCode = BlittableToken.IdSizeCode(token);
        int stride = (1 << offsetCode) + (1 << idCode) + 1;
        for (int i = 0; i < count; i++)
        {
            ref byte entry = ref Unsafe.Add(ref _document, entries + (order[i] * stride));
            int position = metadata - BlittableFormat.ReadSized(ref entry, offsetCode);
            int id = BlittableFormat.ReadSized(ref Unsafe.Add(ref entry, 1 << offsetCode), idCode);
            at = Member(at, id, position, Unsafe.Add(ref entry, stride - 1));
        }

        order.Release();
        return at;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Array(int at, int metadata, byte token)
    {
        Out(at++) = (byte)'[';
        int code = BlittableToken.OffsetSizeCode(token);
        if (code == BlittableToken.SizeCodeEmpty)
        {
            Out(at) = (byte)']';
            return at + 1;
        }

        ref byte start = ref Unsafe.Add(ref _document, metadata);
        ref byte offsets = ref Unsafe.Add(ref start, VariableLengthInteger.ReadInt32(ref start, out int count));
        ref byte tokens = ref Unsafe.Add(ref offsets, count << code);
        int step = (token & BlittableToken.UniformElements) != 0 ? 0 : 1;
        for (int i = 0; i < count; i++)
        {
            int position = metadata - BlittableFormat.ReadSized(ref Unsafe.Add(ref offsets, i << code), code);
            at = Value(Ensure(at, 0), position, Unsafe.Add(ref tokens, i * step));
            Out(at) = (byte)',';
            at++;
        }

        Out(at - 1) = (byte)']';
        return Ensure(at, 0);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Text(int at, int position, int length)
    {
        if (length <= Vector256<byte>.Count && position + Vector256<byte>.Count <= _length)
        {
            Out(at) = (byte)'"';
            Vector256.LoadUnsafe(ref _document, (nuint)position).StoreUnsafe(ref Out(at), 1);
            Out(at + length + 1) = (byte)'"';
            return at + length + 2;
        }

        return LongText(at, position, length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int LongText(int at, int position, int length)
    {
        Out(at) = (byte)'"';
        at = Copy(at + 1, SpanAt(position, length));
        at = Ensure(at, 0);
        Out(at) = (byte)'"';
        return at + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int EscapedText(int at, int position, int length)
    {
        ref byte escapes = ref Unsafe.Add(ref _document, position + length);
        int read = VariableLengthInteger.ReadInt32(ref escapes, out int count);
        Out(at++) = (byte)'"';
        int end = position + length;
        for (int i = 0; i < count; i++)
        {
            read += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref escapes, read), out int run);
            at = Ensure(Copy(at, SpanAt(position, run)), 0);
            position += run;
            at += EscapeText.Write(ref Out(at), Unsafe.Add(ref _document, position++));
        }

        at = Ensure(Copy(at, SpanAt(position, end - position)), 0);
        Out(at) = (byte)'"';
        return at + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Compressed(int at, int position, byte token)
    {
        ref byte start = ref Unsafe.Add(ref _document, position);
        int most = BlittableString.LengthMax(ref start, token);
        if ((token & BlittableToken.HasEscapes) == 0 && most <= MostAtOnce)
        {
            at = Ensure(at, most);
            Out(at) = (byte)'"';
            int length = BlittableString.Decompress(ref start, token, _buffer.Slice(at + 1, most));
            Out(at + length + 1) = (byte)'"';
            return at + length + 2;
        }

        Out(at++) = (byte)'"';
        if (TextPieces.AreFor(ref start, token))
        {
            at = InPieces(at, ref start, token);
        }
        else
        {
            byte[] rented = ScratchArrays.Rent(most);
            at = Escaping(at, rented.AsSpan(0, BlittableString.Decompress(ref start, token, rented)));
            ScratchArrays.Return(rented);
        }

        Out(at) = (byte)'"';
        return at + 1;
    }

    /// <summary>Of a text of any length, only one piece is in memory.</summary>
    private int InPieces(int at, ref byte start, byte token)
    {
        byte[] rented = ScratchArrays.Rent(TextPieces.RoomBytes);
        TextPieces pieces = new(ref start, token, rented);
        while (pieces.TryNext(out ReadOnlySpan<byte> piece))
        {
            at = Escaping(at, piece);
        }

        ScratchArrays.Return(rented);
        return at;
    }

    private int Escaping(int at, scoped ReadOnlySpan<byte> text)
    {
        for (int run; (run = EscapePositions.IndexOf(text)) >= 0; text = text[(run + 1)..])
        {
            at = Ensure(Copy(at, text[..run]), 0);
            at += EscapeText.Write(ref Out(at), text[run]);
        }

        return Ensure(Copy(at, text), 0);
    }

    private int Copy(int at, scoped ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > _buffer.Length - at)
        {
            int fits = _buffer.Length - at;
            bytes[..fits].CopyTo(_buffer[at..]);
            bytes = bytes[fits..];
            at = Refill(_buffer.Length, bytes.Length);
        }

        bytes.CopyTo(_buffer[at..]);
        return at + bytes.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ReadOnlySpan<byte> SpanAt(int position, int length) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref _document, position), length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ref byte Out(int at) => ref Unsafe.Add(ref MemoryMarshal.GetReference(_buffer), at);

    /// <summary>
    /// Makes room for some bytes and Slack more; returns the position, which is another one after a refill.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private int Ensure(int at, int bytes) => at + bytes + Slack <= _buffer.Length ? at : Refill(at, bytes);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private int Refill(int at, int bytes)
    {
        if (at > 0)
        {
            _target.Advance(at);
        }

        _buffer = _target.GetSpan(Math.Max(Math.Min(bytes, MostAtOnce) + Slack, BufferSizeBytesMin));
        return 0;
    }
}
