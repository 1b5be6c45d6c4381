using System.Net;
using FastTests.Documents;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>A registry on a store in memory, with an audit log that is a list.</summary>
internal sealed class TrustFixture : ITrustStore, ITrustAudit
{
    private readonly SortedDictionary<string, byte[]> _records = new(StringComparer.Ordinal);

    internal TrustFixture()
    {
        Registry = TrustRegistry.Open(this, this, Clock);
    }

    internal TestClock Clock { get; } = new() { Now = TestCertificates.Now };

    internal TrustRegistry Registry { get; private set; }

    /// <summary>What the audit log has, a line each.</summary>
    internal List<string> Audit { get; } = [];

    internal bool StoreFails { get; set; }

    internal bool AuditFails { get; set; }

    /// <summary>The records as text, to see that nothing has changed.</summary>
    internal string Records => string.Join('\n', _records.Select(r => $"{r.Key} {Convert.ToHexString(r.Value)}"));

    internal static Identity Admin { get; } = Make(Clearance.ClusterAdmin);

    internal static Identity Operator { get; } = Make(Clearance.Operator);

    internal static Identity Local { get; } = new()
    {
        Kind = IdentityKind.Local, Name = "local", Key = "", Clearance = Clearance.ClusterAdmin,
    };

    /// <summary>A caller with a certificate that is not in the registry.</summary>
    internal static Identity Make(Clearance clearance) => new()
    {
        Kind = IdentityKind.Certificate, Name = clearance.ToString(), Key = "FF", Clearance = clearance,
    };

    /// <summary>A key that may read the database red.</summary>
    internal static RegisteredKey WantedKey(
        DateTimeOffset? expires = null, Clearance clearance = Clearance.ValidUser, string[]? networks = null,
        Permissions? permissions = null) => new()
        {
            Id = "",
            Hash = [],
            Name = "reader",
            Clearance = clearance,
            Permissions = permissions ?? Permissions.Of([KeyValuePair.Create("red", DatabaseRight.Read)]),
            AllowedAddresses = [.. (networks ?? []).Select(IPNetwork.Parse)],
            ExpiresAt = expires,
            CreatedAt = default,
            CreatedBy = "",
        };

    internal void Reopen() => Registry = TrustRegistry.Open(this, this, Clock);

    internal void Corrupt(string key, byte[] json) => _records[key] = json;

    public IReadOnlyList<TrustRecord> ReadAll() => [.. _records.Select(r => new TrustRecord(r.Key, r.Value))];

    public void Write(IReadOnlyList<TrustRecord> records)
    {
        if (StoreFails)
        {
            throw new IOException("The disk is full.");
        }

        foreach (TrustRecord record in records)
        {
            if (record.Json == null)
            {
                _records.Remove(record.Key);
            }
            else
            {
                _records[record.Key] = record.Json;
            }
        }
    }

    public void Record(Identity by, TrustChange change)
    {
        if (AuditFails)
        {
            throw new IOException("The disk of the audit log is full.");
        }

        Audit.Add($"{by.Name}: {change.Event} {change.Name}: {change.Before} -> {change.After}");
    }

    public void RecordFailure(Identity by, TrustChange change) => Audit.Add($"{by.Name}: {change.Event} failed");
}
