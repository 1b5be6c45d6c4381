using Raven.Documents.Catalog;
using Raven.Security.Registry;
using Raven.Storage.Errors;

namespace Raven.Server.Http.Security;

/// <summary>Keeps the registry of who is trusted in the storage of the catalog.</summary>
internal sealed class TrustStore(ServerRecords records) : ITrustStore
{
    private const string Prefix = "trust/";

    /// <inheritdoc/>
    public IReadOnlyList<TrustRecord> ReadAll() =>
        [.. records.Read(Prefix).Select(pair => new TrustRecord(pair.Key[Prefix.Length..], pair.Value))];

    /// <inheritdoc/>
    public void Write(IReadOnlyList<TrustRecord> changes)
    {
        try
        {
            records.Write([.. changes.Select(
                change => new KeyValuePair<string, byte[]?>(Prefix + change.Key, change.Json))]);
        }
        catch (StoragePoisonedException e)
        {
            throw new IOException(e.Message, e);
        }
    }
}
