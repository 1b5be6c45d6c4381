using System.Security.Cryptography;
using Raven.Security.Keys;
using Raven.Security.Rights;

namespace Raven.Security.Registry;

//   KEY-1  A key is shown once. What is kept is its SHA-256, compared in a time that does not depend on it.
//   KEY-2  An id that is not known costs the same comparison as one that is.
//   KEY-3  A key has the rights of an operator at most, never more than its creator, and manages no identity.

/// <summary>Changes of API keys, and the check of one. Safe for all threads.</summary>
public sealed class KeyRegistry
{
    /// <summary>The longest time that the key before a rotation goes on counting.</summary>
    public static readonly TimeSpan GraceMax = TimeSpan.FromDays(1);

    private static readonly byte[] HashOfNone = SHA256.HashData("no key has this hash"u8);

    private readonly TrustRegistry _registry;

    internal KeyRegistry(TrustRegistry registry)
    {
        _registry = registry;
    }

    /// <summary>The key of a header, if it counts: known, right, not over, not disabled. Allocates nothing.</summary>
    /// <param name="text">What stands behind <c>Bearer</c>.</param>
    /// <param name="key">The entry.</param>
    /// <param name="isLeaked">Whether the secret is right: then whoever sent it in the clear has shown it.</param>
    public bool TryCheck(ReadOnlySpan<char> text, out RegisteredKey? key, out bool isLeaked)
    {
        isLeaked = false;
        key = null;
        if (!ApiKey.TryGetId(text, out ReadOnlySpan<char> id))
        {
            return false;
        }

        RegisteredKey? found = _registry.Current.FindKey(id);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        ApiKey.Hash(text, hash);
        bool isRight = CryptographicOperations.FixedTimeEquals(hash, found?.Hash ?? HashOfNone);
        bool isFormer = CryptographicOperations.FixedTimeEquals(hash, found?.FormerHash ?? HashOfNone);
        DateTimeOffset now = _registry.Clock.GetUtcNow();
        isRight |= isFormer && found!.FormerEndsAt > now;
        isLeaked = isRight;
        if (!isRight || found!.IsDisabled || !found.Identity.IsValidAt(now))
        {
            return false;
        }

        key = found;
        return true;
    }

    /// <summary>Makes a key.</summary>
    /// <param name="by">Who makes it.</param>
    /// <param name="wanted">Its rights; id, hash and creation are filled in.</param>
    /// <param name="entry">What is kept.</param>
    /// <returns>The key itself, which is kept nowhere.</returns>
    /// <exception cref="RegistryException">The caller may not make such a key.</exception>
    public string Create(Identity by, RegisteredKey wanted, out RegisteredKey entry)
    {
        ArgumentNullException.ThrowIfNull(by);
        ArgumentNullException.ThrowIfNull(wanted);
        string id = ApiKey.MakeId();
        string text = ApiKey.Make(id);
        RegisteredKey made = entry = Copy(
            wanted, wanted, id, ApiKey.HashOf(text), _registry.Clock.GetUtcNow(), by.Name);
        _registry.Change(by, _ =>
        {
            CheckMayManage(by, made);
            var edit = new TrustEdit();
            edit.Put(made);
            edit.Changes.Add(Describe("key.created", null, made));
            return edit;
        });
        return text;
    }

    /// <summary>Gives a key other rights.</summary>
    /// <exception cref="RegistryException">There is none, or the caller may not.</exception>
    public void Edit(Identity by, string id, RegisteredKey wanted) => _registry.Change(by, before =>
    {
        RegisteredKey stored = Find(before, id);

        // A key that others have seen stays disabled: only a rotation gives it another secret.
        RegisteredKey edited = Copy(
            stored, wanted, id, stored.Hash, stored.CreatedAt, stored.CreatedBy, isDisabled: stored.IsDisabled);
        CheckMayManage(by, stored);
        CheckMayManage(by, edited);
        var edit = new TrustEdit();
        edit.Put(edited);
        edit.Changes.Add(Describe("key.edited", stored, edited));
        return edit;
    });

    /// <summary>
    /// Replaces the secret of a key; the one before counts for a while, unless the key was disabled. It counts again.
    /// </summary>
    /// <returns>The new key.</returns>
    /// <exception cref="RegistryException">There is none, or the caller may not.</exception>
    public string Rotate(Identity by, string id, TimeSpan grace)
    {
        if (grace < TimeSpan.Zero || grace > GraceMax)
        {
            throw new RegistryException(
                RegistryRefusal.BadRequest, $"'graceSec' is 0 to {GraceMax.TotalSeconds:N0} seconds.");
        }

        string text = "";
        _registry.Change(by, before =>
        {
            RegisteredKey stored = Find(before, id);
            CheckMayManage(by, stored);
            text = ApiKey.Make(id);
            RegisteredKey next = Copy(
                stored, stored, id, ApiKey.HashOf(text), stored.CreatedAt, stored.CreatedBy, stored.Hash,
                stored.IsDisabled ? default : _registry.Clock.GetUtcNow() + grace, isDisabled: false);
            var edit = new TrustEdit();
            edit.Put(next);
            edit.Changes.Add(Describe("key.rotated", stored, next));
            return edit;
        });
        return text;
    }

    /// <summary>Removes a key. One that is not there is no mistake.</summary>
    /// <exception cref="RegistryException">The caller may not.</exception>
    public void Delete(Identity by, string id) => _registry.Change(by, before =>
    {
        if (before.FindKey(id) is not { } stored)
        {
            return null;
        }

        CheckMayManage(by, stored);
        var edit = new TrustEdit();
        edit.Remove(stored);
        edit.Changes.Add(Describe("key.deleted", stored, null));
        return edit;
    });

    /// <summary>Ends a key that was seen on a connection without encryption.</summary>
    public void Disable(Identity by, string id) => _registry.Change(by, before =>
    {
        if (before.FindKey(id) is not { IsDisabled: false } stored)
        {
            return null;
        }

        RegisteredKey disabled = Copy(
            stored, stored, id, stored.Hash, stored.CreatedAt, stored.CreatedBy, isDisabled: true);
        var edit = new TrustEdit();
        edit.Put(disabled);
        edit.Changes.Add(Describe("key.disabled", stored, disabled));
        return edit;
    });

    private static RegisteredKey Find(TrustSnapshot before, string id) =>
        before.FindKey(id)
        ?? throw new RegistryException(RegistryRefusal.BadRequest, $"There is no API key with the id '{id}'.");

    private static void CheckMayManage(Identity by, RegisteredKey key)
    {
        if (by.Kind is IdentityKind.ApiKey or IdentityKind.Jwt)
        {
            throw new RegistryException(
                RegistryRefusal.Forbidden, "API keys are managed with a certificate, not with a key or a token.");
        }

        if (key.Clearance > Clearance.Operator)
        {
            throw new RegistryException(
                RegistryRefusal.BadRequest, "An API key has the clearance ValidUser or Operator.");
        }

        if (!by.MayManage(key.Clearance))
        {
            throw new RegistryException(RegistryRefusal.Forbidden, "API keys are managed by an Operator.");
        }
    }

    private static RegisteredKey Copy(
        RegisteredKey stored, RegisteredKey wanted, string id, byte[] hash, DateTimeOffset createdAt, string createdBy,
        byte[]? formerHash = null, DateTimeOffset formerEndsAt = default, bool? isDisabled = null) => new()
        {
            Id = id,
            Hash = hash,
            FormerHash = formerHash ?? stored.FormerHash,
            FormerEndsAt = formerHash != null ? formerEndsAt : stored.FormerEndsAt,
            Name = wanted.Name,
            Clearance = wanted.Clearance,
            Permissions = wanted.Permissions,
            MayMonitor = wanted.MayMonitor,
            AllowedAddresses = wanted.AllowedAddresses,
            ExpiresAt = wanted.ExpiresAt,
            IsDisabled = isDisabled ?? wanted.IsDisabled,
            CreatedAt = createdAt,
            CreatedBy = createdBy,
            LastUse = stored.LastUse,
        };

    private static TrustChange Describe(string what, RegisteredKey? before, RegisteredKey? after) => new(
        what, (after ?? before)!.Id, (after ?? before)!.Name,
        before == null ? null : TrustRegistry.Describe(before.Clearance, before.Permissions),
        after == null ? null : TrustRegistry.Describe(after.Clearance, after.Permissions));
}
