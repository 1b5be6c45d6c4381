using System.Globalization;
using System.Text;
using Raven.Documents.Catalog;
using Raven.Security.Audit;
using Raven.Storage.Errors;

namespace Raven.Server.Http.Security;

/// <summary>Keeps the ends of the audit log in the storage of the catalog.</summary>
internal sealed class AuditAnchor(ServerRecords records) : IAuditAnchor
{
    private const string End = "audit/last";
    private const string Start = "audit/start";

    /// <inheritdoc/>
    public AuditChain? Read() => Read(End);

    /// <inheritdoc/>
    public void Keep(AuditChain chain) => Keep(End, chain);

    /// <inheritdoc/>
    public AuditChain? ReadStart() => Read(Start);

    /// <inheritdoc/>
    public void KeepStart(AuditChain chain) => Keep(Start, chain);

    private AuditChain? Read(string key)
    {
        if (records.Read(key) is not [var (_, value)])
        {
            return null;
        }

        string[] parts = Encoding.ASCII.GetString(value).Split(' ');
        return new AuditChain(long.Parse(parts[0], CultureInfo.InvariantCulture), parts[1]);
    }

    private void Keep(string key, AuditChain chain)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{chain.Number} {chain.Hash}");
        try
        {
            records.Write([new(key, Encoding.ASCII.GetBytes(text))]);
        }
        catch (Exception e) when (e is StoragePoisonedException or StorageBusyException or ObjectDisposedException)
        {
            throw new IOException(e.Message, e);
        }
    }
}
