using System.Collections.Frozen;
using Raven.Security.Certificates;

namespace Raven.Security.Registry;

//   TRUST-1  A snapshot is immutable. Whoever has read it sees all rights as they were at one moment.
//   TRUST-2  Its version is larger with each change. A connection keeps the identity that it found and the version at
//            which it found it, and compares one integer at each request.
//   TRUST-3  A certificate is recognised by the SHA-256 of all its bytes. The thumbprint (SHA-1) names it in the HTTP
//            API and proves nothing: two certificates of one thumbprint share no right.

/// <summary>All identities that the server trusts, at one moment. Immutable, shared by all threads.</summary>
public sealed class TrustSnapshot
{
    private readonly FrozenDictionary<string, RegisteredCertificate> _byDigest;
    private readonly FrozenSet<string> _pinningHashes;
    private readonly FrozenDictionary<string, RegisteredKey> _keys;
    private readonly FrozenDictionary<string, RegisteredKey>.AlternateLookup<ReadOnlySpan<char>> _keysByText;

    internal TrustSnapshot(
        long version, IEnumerable<RegisteredCertificate> certificates, IEnumerable<RegisteredKey> keys)
    {
        Version = version;
        Certificates = [.. certificates.OrderBy(c => c.Name, StringComparer.OrdinalIgnoreCase)
            .ThenBy(c => c.Certificate.Digest, StringComparer.Ordinal)];
        Keys = [.. keys.OrderBy(key => key.Name, StringComparer.OrdinalIgnoreCase)
            .ThenBy(key => key.Id, StringComparer.Ordinal)];
        _byDigest = Certificates.ToFrozenDictionary(c => c.Certificate.Digest, StringComparer.Ordinal);
        _pinningHashes = Certificates.Select(c => c.Certificate.PinningHash).ToFrozenSet(StringComparer.Ordinal);
        _keys = Keys.ToFrozenDictionary(key => key.Id, StringComparer.Ordinal);
        _keysByText = _keys.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    /// <summary>Larger with each change.</summary>
    public long Version { get; }

    /// <summary>All certificates, in the order of their names.</summary>
    public IReadOnlyList<RegisteredCertificate> Certificates { get; }

    /// <summary>All API keys, in the order of their names.</summary>
    public IReadOnlyList<RegisteredKey> Keys { get; }

    /// <summary>The certificate of a digest; null if it is not trusted.</summary>
    public RegisteredCertificate? FindCertificate(string digest) => _byDigest.GetValueOrDefault(digest);

    /// <summary>Whether a registered certificate has the same key as this one: it may be its renewal.</summary>
    public bool HasKeyOf(ClientCertificate certificate)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        return _pinningHashes.Contains(certificate.PinningHash);
    }

    /// <summary>The certificate that a thumbprint names, in either case; null if there is none.</summary>
    public RegisteredCertificate? FindThumbprint(string thumbprint) => Certificates.FirstOrDefault(
        c => c.Certificate.Thumbprint.Equals(thumbprint, StringComparison.OrdinalIgnoreCase));

    /// <summary>The key of an id; null if there is none.</summary>
    public RegisteredKey? FindKey(ReadOnlySpan<char> id) =>
        _keysByText.TryGetValue(id, out RegisteredKey? key) ? key : null;
}
