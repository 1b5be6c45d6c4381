using System.Security.Cryptography;

namespace Raven.Security.Secrets;

//   SHKEY-1  What several servers seal together is sealed under a key that all of them have: each finds the key of a
//            sealed secret by its check, so that the key can be replaced while older secrets are still there.

/// <summary>The keys that the servers of a cluster have together, in memory. Safe for all threads.</summary>
public sealed class SharedKeys : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (byte[] Key, SecretSealer Sealer)> _keys = new(StringComparer.Ordinal);
    private string? _current;

    /// <summary>Called when a secret is to be sealed and there is no key: it has one made, and waits for it a while.
    /// </summary>
    public Action? Wanted { get; set; }

    /// <summary>The check of the key that seals now; null while this server has not been given it.</summary>
    public string? Current
    {
        get
        {
            lock (_gate)
            {
                return _current;
            }
        }
    }

    /// <summary>A new key.</summary>
    public static byte[] Make() => RandomNumberGenerator.GetBytes(MasterKey.SizeBytes);

    /// <summary>Tells a key without giving it away.</summary>
    /// <param name="key">The key.</param>
    public static string CheckOf(ReadOnlySpan<byte> key)
    {
        using SecretSealer sealer = SealerOf(key);
        return sealer.KeyCheck;
    }

    /// <summary>Takes a key.</summary>
    /// <param name="key">The key.</param>
    /// <returns>Its check.</returns>
    public string Add(byte[] key)
    {
        SecretSealer sealer = SealerOf(key);
        lock (_gate)
        {
            if (!_keys.TryAdd(sealer.KeyCheck, (key, sealer)))
            {
                sealer.Dispose();
            }

            return sealer.KeyCheck;
        }
    }

    /// <summary>Seals with a key from now on.</summary>
    /// <param name="check">The check of one that was taken; null while there is none.</param>
    public void Use(string? check)
    {
        lock (_gate)
        {
            _current = check is not null && _keys.ContainsKey(check) ? check : null;
        }
    }

    /// <summary>Whether this server has a key.</summary>
    /// <param name="check">Its check.</param>
    public bool Has(string check)
    {
        lock (_gate)
        {
            return _keys.ContainsKey(check);
        }
    }

    /// <summary>A key, to be wrapped for another server; null if this one has not got it.</summary>
    /// <param name="check">Its check.</param>
    public byte[]? Find(string check)
    {
        lock (_gate)
        {
            return _keys.TryGetValue(check, out (byte[] Key, SecretSealer Sealer) found) ? found.Key : null;
        }
    }

    /// <summary>Seals a secret.</summary>
    /// <param name="secret">The secret.</param>
    /// <param name="place">Where it is kept.</param>
    /// <exception cref="MasterKeyException">This server has not been given the key.</exception>
    public string Seal(string secret, string place)
    {
        if (Current is null)
        {
            Wanted?.Invoke();
        }

        lock (_gate)
        {
            return _current is { } check
                ? _keys[check].Sealer.Seal(secret, place)
                : throw new MasterKeyException(
                    "This node has not been given the key of the cluster's secrets yet: another node gives it as soon "
                    + "as the store can be reached. Nothing has changed.");
        }
    }

    /// <summary>Opens a secret.</summary>
    /// <param name="sealedText">What <see cref="Seal"/> gave.</param>
    /// <param name="place">The same place.</param>
    /// <exception cref="MasterKeyException">This server has not been given its key, or it is damaged.</exception>
    public string Open(string sealedText, string place)
    {
        lock (_gate)
        {
            return SecretSealer.KeyCheckOf(sealedText) is not { } check
                ? throw new MasterKeyException($"The sealed secret at '{place}' is damaged.")
                : _keys.TryGetValue(check, out (byte[] Key, SecretSealer Sealer) found)
                    ? found.Sealer.Open(sealedText, place)
                    : throw new MasterKeyException(
                        $"The secret at '{place}' was sealed under a key of the cluster that this node has not got. If "
                        + "another node does not give it soon, give the secret anew.");
        }
    }

    /// <summary>Clears the keys from memory.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            foreach ((byte[] key, SecretSealer sealer) in _keys.Values)
            {
                CryptographicOperations.ZeroMemory(key);
                sealer.Dispose();
            }

            _keys.Clear();
            _current = null;
        }
    }

    private static SecretSealer SealerOf(ReadOnlySpan<byte> key)
    {
        using var master = MasterKey.Of(key, "The key of the cluster");
        return new SecretSealer(master);
    }
}
