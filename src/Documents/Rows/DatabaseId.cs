using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;

namespace Raven.Documents.Rows;

/// <summary>
/// Identifies the database that made a change: 16 random bytes given to a database when it is created, written in
/// change vectors as 22 characters of base64 without its padding. Not the storage environment's id, which is new after
/// a clone or a restore.
/// </summary>
public sealed class DatabaseId
{
    /// <summary>The number of characters of the text form.</summary>
    internal const int TextLength = 22;

    private readonly byte[] _utf8;

    /// <summary>Takes the bytes, and makes the text forms once.</summary>
    internal DatabaseId(Guid value)
    {
        Value = value;
        Span<byte> raw = stackalloc byte[16];
        value.TryWriteBytes(raw);
        Span<byte> padded = stackalloc byte[TextLength + 2];
        Base64.EncodeToUtf8(raw, padded, out _, out _);
        _utf8 = padded[..TextLength].ToArray();
        Text = Encoding.ASCII.GetString(_utf8);
        Hash = BinaryPrimitives.ReadUInt64LittleEndian(raw) ^ BinaryPrimitives.ReadUInt64LittleEndian(raw[8..]);
    }

    /// <summary>The 16 bytes as they are stored.</summary>
    internal Guid Value { get; }

    /// <summary>A number that another database is unlikely to have.</summary>
    public ulong Hash { get; }

    /// <summary>The text form, 22 characters of base64.</summary>
    public string Text { get; }

    /// <summary>The text form in UTF-8.</summary>
    public ReadOnlySpan<byte> Utf8 => _utf8;
}
