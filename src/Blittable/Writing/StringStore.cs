using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Format;

namespace Raven.Blittable.Writing;

/// <summary>Writes string values: plain, with escape positions behind them, or compressed where the mode asks for it.</summary>
internal sealed class StringStore
{
    private readonly DocumentBuilder _builder;

    internal StringStore(DocumentBuilder builder) => _builder = builder;

    /// <summary>Appends a string value.</summary>
    /// <param name="text">Valid UTF-8, unescaped, not inside the block that is being written.</param>
    /// <param name="mayHaveEscapes">False where the caller knows that JSON would escape nothing of it.</param>
    internal void Add(ReadOnlySpan<byte> text, bool mayHaveEscapes)
    {
        if (text.IsEmpty)
        {
            _builder.PushWithoutBytes(BlittableToken.EmptyString);
            return;
        }

        bool escapes = mayHaveEscapes && EscapePositions.IndexOf(text) >= 0;
        long room = text.Length + 16L + (escapes ? EscapePositions.LengthMax(text.Length) : 0);
        ref byte target = ref _builder.Reserve((int)Math.Min(room, int.MaxValue));
        int start = _builder.Position;
        int length = VariableLengthInteger.Write(ref target, (ulong)(uint)text.Length);
        text.CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref target, length), text.Length));
        length += text.Length;
        if (escapes)
        {
            length += EscapePositions.Write(ref Unsafe.Add(ref target, length), text);
        }

        _builder.Position = start + length;
        _builder.Push(BlittableToken.String | (escapes ? BlittableToken.HasEscapes : 0), start);
    }
}
