using System.Security.Cryptography;

namespace Raven.Security.Audit;

//   CHAIN-1  Each line has the number of the line before plus one, and the HMAC-SHA256 of its bytes under the server's
//            key: a line that is changed, removed, added or moved breaks the chain at that place.
//   CHAIN-2  The numbers and hashes of the last line, and of the last one that was deleted as too old, are kept in the
//            server's own storage as well: an end or a beginning that is cut off shows. What is missing when the log is
//            opened shows for ever, as the next line has the number behind it.
//   CHAIN-3  A change of rights is on the disk before it is answered. If it cannot be written, it is refused.

/// <summary>Where a chain of lines stands: the number of the last one, and its hash.</summary>
/// <param name="Number">The number of the last line; 0 if there is none.</param>
/// <param name="Hash">Its hash, 64 hexadecimal digits; zeros if there is none.</param>
public readonly record struct AuditChain(long Number, string Hash)
{
    /// <summary>The chain before the first line.</summary>
    public static AuditChain Empty { get; } = new(0, new string('0', 2 * SHA256.HashSizeInBytes));

    /// <summary>The chain behind one more line.</summary>
    /// <param name="key">The key of the audit log.</param>
    /// <param name="line">The bytes of the line, without its end.</param>
    public AuditChain Behind(ReadOnlySpan<byte> key, ReadOnlySpan<byte> line)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        HMACSHA256.HashData(key, line, hash);
        return new AuditChain(Number + 1, Convert.ToHexStringLower(hash));
    }
}
