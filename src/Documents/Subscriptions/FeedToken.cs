using System.Buffers.Binary;
using System.Buffers.Text;
using Raven.Documents.Rows;
using Raven.Storage.Transactions;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// A place in the changes of a database that a client keeps: 16 bytes of the database's id, the opening that gave out
/// the change (<see cref="OpeningHistory"/>), and its etag, as base64 for urls.
/// </summary>
/// <param name="Opening">The opening of the database; 0 before the first change.</param>
/// <param name="Etag">The last change that the client has.</param>
public readonly record struct FeedToken(long Opening, long Etag)
{
    private const int SizeBytes = 16 + 8 + 8;

    /// <summary>Reads a token.</summary>
    /// <param name="text">The token.</param>
    /// <param name="database">The database.</param>
    /// <param name="token">What it says.</param>
    /// <returns>False if it is none of this database.</returns>
    public static bool TryParse(string text, DatabaseId database, out FeedToken token)
    {
        ArgumentNullException.ThrowIfNull(database);
        token = default;
        Span<byte> bytes = stackalloc byte[SizeBytes];
        Span<byte> own = stackalloc byte[16];
        if (text is null || !Base64Url.IsValid(text, out int length) || length != SizeBytes
            || Base64Url.DecodeFromChars(text, bytes) != SizeBytes || !database.Value.TryWriteBytes(own)
            || !bytes[..16].SequenceEqual(own))
        {
            return false;
        }

        token = new FeedToken(
            BinaryPrimitives.ReadInt64BigEndian(bytes[16..]), BinaryPrimitives.ReadInt64BigEndian(bytes[24..]));
        return token.Etag >= 0;
    }

    /// <summary>Writes it.</summary>
    public string ToText(DatabaseId database)
    {
        ArgumentNullException.ThrowIfNull(database);
        Span<byte> bytes = stackalloc byte[SizeBytes];
        database.Value.TryWriteBytes(bytes);
        BinaryPrimitives.WriteInt64BigEndian(bytes[16..], Opening);
        BinaryPrimitives.WriteInt64BigEndian(bytes[24..], Etag);
        return Base64Url.EncodeToString(bytes);
    }

    /// <summary>The last change of a database.</summary>
    internal static FeedToken Now(DocumentSnapshot snapshot) =>
        new(OpeningHistory.Last(snapshot.Transaction), snapshot.LastEtag);

    /// <summary>Why a client cannot go on from here; null if it can.</summary>
    internal string? FindLoss(Transaction transaction) =>
        Etag == 0 ? null : OpeningHistory.FindDivergence(transaction, Opening, Etag);
}
