using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Commands;

/// <summary>Makes the ids that clients leave to the server, in the one write transaction of a database.</summary>
internal sealed class ServerIdMaker(DocumentTables tables, Random random)
{
    /// <summary>The next value of an identity whose id is free.</summary>
    /// <param name="name">Its name with its bar.</param>
    /// <param name="key">Its folded name with its bar.</param>
    /// <param name="idBuffer">Takes the id.</param>
    /// <param name="keyBuffer">Takes the id's key.</param>
    /// <param name="idLength">The length of the id.</param>
    /// <param name="keyLength">The length of the key.</param>
    /// <param name="named">Keys to avoid.</param>
    internal long NextIdentity(
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> key,
        Span<byte> idBuffer,
        Span<byte> keyBuffer,
        out int idLength,
        out int keyLength,
        KeyMap? named)
    {
        long value = tables.Identity(key);
        do
        {
            value = checked(value + 1);
            idLength = ServerMadeId.WriteIdentity(name, value, idBuffer);
            keyLength = ServerMadeId.WriteIdentity(key, value, keyBuffer);
        }
        while (IsTaken(keyBuffer[..keyLength], named));
        tables.SetIdentity(key, value);
        return value;
    }

    /// <summary>Makes the id of a document that asked for one (BAT-4).</summary>
    /// <returns>The etag that is part of the id, to be the document's; else 0.</returns>
    internal long Complete(ref DocumentOperation operation, KeyMap? named)
    {
        ReadOnlySpan<byte> prefix = operation.RequestedId.Span;
        ReadOnlySpan<byte> folded = operation.RequestedKey.Span;
        Span<byte> id = operation.IdBuffer.WritableSpan;
        Span<byte> key = operation.KeyBuffer.WritableSpan;
        long etag = 0;
        int idLength;
        int keyLength;
        switch (operation.Request)
        {
            case IdRequestKind.Identity:
                NextIdentity(prefix, folded, id, key, out idLength, out keyLength, named);
                break;
            case IdRequestKind.Sequence:
                do
                {
                    etag = tables.NextEtag();
                    idLength = ServerMadeId.WriteSequence(prefix, etag, id);
                    keyLength = ServerMadeId.WriteSequence(folded, etag, key);
                    key[keyLength - 1] = (byte)'a';
                }
                while (IsTaken(key[..keyLength], named));
                break;
            default:
                do
                {
                    idLength = ServerMadeId.WriteGuid(NewGuid(), id);
                    id[..idLength].CopyTo(key);
                    keyLength = idLength;
                }
                while (IsTaken(key[..keyLength], named));
                break;
        }

        operation.Id = operation.IdBuffer.Slice(0, idLength);
        operation.Key = operation.KeyBuffer.Slice(0, keyLength);
        return etag;
    }

    private bool IsTaken(ReadOnlySpan<byte> key, KeyMap? named) =>
        tables.Exists(key) || (named is not null && named.Find(key) >= 0);

    private Guid NewGuid()
    {
        Span<byte> bytes = stackalloc byte[16];
        random.NextBytes(bytes);
        // The version and variant bits of a random guid (RFC 9562, version 4) in .NET's byte order.
        bytes[7] = (byte)((bytes[7] & 0x0F) | 0x40);
        bytes[8] = (byte)((bytes[8] & 0x3F) | 0x80);
        return new Guid(bytes);
    }
}
