using System.Net;
using System.Security.Cryptography;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace Raven.Server.Http.Security;

/// <summary>A browser that has signed in with an API key. It has the rights of the key, and ends with it. Safe for all
/// threads.</summary>
internal sealed class StudioSession
{
    private readonly byte[] _hash;
    private volatile Found? _found;
    private volatile bool _isEnded;

    /// <summary>Begins it.</summary>
    /// <param name="keyId">The id of the key.</param>
    /// <param name="hash">The hash of the secret that was sent: after a rotation it is that of the former one.</param>
    /// <param name="endsAt">When it ends at the latest.</param>
    internal StudioSession(string keyId, byte[] hash, DateTimeOffset endsAt)
    {
        KeyId = keyId;
        _hash = hash;
        EndsAt = endsAt;
    }

    /// <summary>The id of the key.</summary>
    internal string KeyId { get; }

    /// <summary>When it ends at the latest.</summary>
    internal DateTimeOffset EndsAt { get; }

    /// <summary>Ends it.</summary>
    internal void End() => _isEnded = true;

    /// <summary>The key, if the session still counts: as long as its secret would count as a header.</summary>
    /// <param name="trust">Who is trusted now.</param>
    /// <param name="now">The time.</param>
    /// <param name="address">Where the request comes from.</param>
    internal RegisteredKey? FindKey(TrustSnapshot trust, DateTimeOffset now, IPAddress address) =>
        !_isEnded && now <= EndsAt ? FindKeyItself(trust, now, address) : null;

    /// <summary>The key as long as its secret counts, also when the session has ended.</summary>
    /// <param name="trust">Who is trusted now.</param>
    /// <param name="now">The time.</param>
    /// <param name="address">Where the request came from.</param>
    internal RegisteredKey? FindKeyItself(TrustSnapshot trust, DateTimeOffset now, IPAddress address) =>
        trust.FindKey(KeyId) is { IsDisabled: false } key && Counts(key, now)
            && key.Identity.IsValidAt(now) && key.IsAllowedFrom(address)
            ? key
            : null;

    /// <summary>The identity of its requests: that of the key, and it ends with the session.</summary>
    internal Identity IdentityOf(RegisteredKey key)
    {
        Found? found = _found;
        if (found is null || !ReferenceEquals(found.Key, key))
        {
            Identity of = key.Identity;
            found = new Found(key, new Identity
            {
                Kind = of.Kind,
                Name = of.Name,
                Key = of.Key,
                Clearance = of.Clearance,
                Permissions = of.Permissions,
                MayMonitor = of.MayMonitor,
                NotBefore = of.NotBefore,
                NotAfter = of.NotAfter < EndsAt ? of.NotAfter : EndsAt,
            });
            _found = found;
        }

        return found.Identity;
    }

    private bool Counts(RegisteredKey key, DateTimeOffset now) =>
        CryptographicOperations.FixedTimeEquals(_hash, key.Hash)
        || (key.FormerHash is { } former && key.FormerEndsAt > now
            && CryptographicOperations.FixedTimeEquals(_hash, former));

    private sealed record Found(RegisteredKey Key, Identity Identity);
}
