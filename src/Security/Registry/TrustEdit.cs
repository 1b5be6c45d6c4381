namespace Raven.Security.Registry;

/// <summary>What a change puts and removes. Collected, then applied as one.</summary>
internal sealed class TrustEdit
{
    private readonly Dictionary<string, RegisteredCertificate?> _certificates = new(StringComparer.Ordinal);
    private readonly Dictionary<string, RegisteredKey?> _keys = new(StringComparer.Ordinal);

    /// <summary>What the audit log says of it.</summary>
    internal List<TrustChange> Changes { get; } = [];

    internal IReadOnlyList<TrustRecord> Records =>
    [
        .. _certificates.Select(pair => pair.Value == null
            ? new TrustRecord(RegisteredCertificate.KeyOf(pair.Key), null)
            : TrustRecordJson.Write(pair.Value)),
        .. _keys.Select(pair => pair.Value == null
            ? new TrustRecord(RegisteredKey.KeyOf(pair.Key), null)
            : TrustRecordJson.Write(pair.Value)),
    ];

    internal bool IsEmpty => _certificates.Count == 0 && _keys.Count == 0;

    internal void Put(RegisteredCertificate entry) => _certificates[entry.Certificate.Digest] = entry;

    internal void Remove(RegisteredCertificate entry) => _certificates[entry.Certificate.Digest] = null;

    internal void Put(RegisteredKey entry) => _keys[entry.Id] = entry;

    internal void Remove(RegisteredKey entry) => _keys[entry.Id] = null;

    /// <summary>The state that it makes of another.</summary>
    internal TrustSnapshot ApplyTo(TrustSnapshot before) => new(
        before.Version + 1,
        [
            .. before.Certificates.Where(c => !_certificates.ContainsKey(c.Certificate.Digest)),
            .. _certificates.Values.OfType<RegisteredCertificate>(),
        ],
        [.. before.Keys.Where(key => !_keys.ContainsKey(key.Id)), .. _keys.Values.OfType<RegisteredKey>()]);
}
