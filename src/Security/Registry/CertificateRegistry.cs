using Raven.Security.Certificates;
using Raven.Security.Rights;

namespace Raven.Security.Registry;

//   CLIMB-1  Only an administrator of the cluster makes, changes or removes an administrator or a node, by what the
//            stored entry says and by what it is to become.
//   CLIMB-2  Whoever changes the entry that he is using cannot make it more than it is.
//   CLIMB-3  The last administrator of the cluster stays, but for the local command line, which can make another.
//   CLIMB-4  A renewal has the rights of what it renews, and ends with it.

/// <summary>Changes of the certificates that are trusted. Each is one transaction, or refused.</summary>
public sealed class CertificateRegistry
{
    private readonly TrustRegistry _registry;

    internal CertificateRegistry(TrustRegistry registry)
    {
        _registry = registry;
    }

    /// <summary>Registers certificates, or gives those that are registered other rights.</summary>
    /// <exception cref="RegistryException">The caller may not.</exception>
    public void Put(
        Identity by, string name, IReadOnlyList<ClientCertificate> certificates, Clearance clearance,
        Permissions permissions) => _registry.Change(by, before =>
    {
        ArgumentNullException.ThrowIfNull(by);
        ArgumentNullException.ThrowIfNull(certificates);
        var edit = new TrustEdit();
        foreach (ClientCertificate certificate in certificates)
        {
            RegisteredCertificate? stored = before.FindCertificate(certificate.Digest);
            Check(by, before, stored, clearance, permissions);
            RegisteredCertificate entry = stored?.With(name, clearance, permissions) ?? new RegisteredCertificate
            {
                Name = name,
                Certificate = certificate,
                Clearance = clearance,
                Permissions = permissions,
                CreatedAt = _registry.Clock.GetUtcNow(),
                CreatedBy = by.Name,
            };
            Put(edit, before, stored, entry);
        }

        return edit;
    });

    /// <summary>Gives a registered certificate another name or other rights.</summary>
    /// <exception cref="RegistryException">There is none, or the caller may not.</exception>
    public void Edit(Identity by, string thumbprint, string name, Clearance clearance, Permissions permissions) =>
        _registry.Change(by, before =>
        {
            ArgumentNullException.ThrowIfNull(by);
            RegisteredCertificate stored = before.FindThumbprint(thumbprint) ?? throw new RegistryException(
                RegistryRefusal.BadRequest, $"No certificate with the thumbprint '{thumbprint}' is registered.");
            Check(by, before, stored, clearance, permissions);
            var edit = new TrustEdit();
            Put(edit, before, stored, stored.With(name, clearance, permissions));
            return edit;
        });

    /// <summary>Takes the trust from a certificate and its renewals. One that is not there is no mistake.</summary>
    /// <exception cref="RegistryException">The caller may not, or it is the last administrator.</exception>
    public void Delete(Identity by, string thumbprint) => _registry.Change(by, before =>
    {
        ArgumentNullException.ThrowIfNull(by);
        if (before.FindThumbprint(thumbprint) is not { } stored)
        {
            return null;
        }

        return Remove(by, before, [stored]);
    });

    /// <summary>Removes the certificates that have ended.</summary>
    public void Purge(Identity by) => _registry.Change(by, before =>
    {
        DateTimeOffset now = _registry.Clock.GetUtcNow();
        RegisteredCertificate[] ended = [.. before.Certificates.Where(
            c => c.Certificate.NotAfter < now && by.MayManage(c.Clearance))];
        return ended.Length == 0 ? null : Remove(by, before, ended);
    });

    /// <summary>
    /// Registers a certificate that renews a registered one: the same key and the same issuer. Whoever has that key has
    /// the rights already.
    /// </summary>
    /// <param name="certificate">A certificate that is not registered; its handshake has proven that the peer has
    /// its key.</param>
    /// <param name="alsoAdministrators">True if administrators of the cluster are renewed so, too.</param>
    /// <returns>The entry; null if it renews none.</returns>
    public RegisteredCertificate? TryRenew(ClientCertificate certificate, bool alsoAdministrators)
    {
        ArgumentNullException.ThrowIfNull(certificate);
        RegisteredCertificate? renewal = null;
        _registry.Change(System, before =>
        {
            renewal = before.FindCertificate(certificate.Digest);
            RegisteredCertificate? former = renewal != null ? null : before.Certificates.FirstOrDefault(
                c => c.Certificate.PinningHash == certificate.PinningHash && c.Certificate.Issuer == certificate.Issuer
                    && (alsoAdministrators || c.Clearance < Clearance.ClusterAdmin));
            if (former == null)
            {
                return null;
            }

            renewal = new RegisteredCertificate
            {
                Name = former.Name,
                Certificate = certificate,
                Clearance = former.Clearance,
                Permissions = former.Permissions,
                CreatedAt = _registry.Clock.GetUtcNow(),
                CreatedBy = former.CreatedBy,
                RenewalOf = former.RenewalOf.Length > 0 ? former.RenewalOf : former.Certificate.Digest,
            };
            var edit = new TrustEdit();
            edit.Put(renewal);
            edit.Changes.Add(Describe("certificate.renewed", null, renewal));
            return edit;
        });
        return renewal;
    }

    /// <summary>The server itself, for what it does without being asked.</summary>
    private static Identity System { get; } = new()
    {
        Kind = IdentityKind.Local, Name = "server", Key = "", Clearance = Clearance.ClusterAdmin,
    };

    private static void Check(
        Identity by, TrustSnapshot before, RegisteredCertificate? stored, Clearance clearance, Permissions permissions)
    {
        CheckMayManage(by, clearance);
        if (stored == null)
        {
            return;
        }

        CheckMayManage(by, stored.Clearance);
        bool isOwn = by.Kind == IdentityKind.Certificate && by.Key == stored.Certificate.Thumbprint;
        if (isOwn && (clearance > stored.Clearance || permissions.Exceed(stored.Permissions))
            && stored.Clearance < Clearance.ClusterAdmin)
        {
            throw new RegistryException(
                RegistryRefusal.Forbidden, "A certificate cannot be given more rights by itself.");
        }

        if (clearance < Clearance.ClusterAdmin)
        {
            CheckNotLast(by, before, [stored]);
        }
    }

    private static void CheckMayManage(Identity by, Clearance clearance)
    {
        if (by.Kind is IdentityKind.ApiKey or IdentityKind.Jwt || !by.MayManage(clearance))
        {
            throw new RegistryException(
                RegistryRefusal.Forbidden,
                by.Kind is IdentityKind.ApiKey or IdentityKind.Jwt
                    ? "Certificates are managed with a certificate, not with a key or a token."
                    : $"Only a ClusterAdmin manages certificates with the clearance {Clearances.NameOf(clearance)}.");
        }
    }

    private static void CheckNotLast(
        Identity by, TrustSnapshot before, IReadOnlyCollection<RegisteredCertificate> lost)
    {
        if (by.Kind != IdentityKind.Local
            && lost.Any(c => c.Clearance == Clearance.ClusterAdmin)
            && !before.Certificates.Except(lost).Any(c => c.Clearance == Clearance.ClusterAdmin))
        {
            throw new RegistryException(
                RegistryRefusal.BadRequest,
                "This is the last ClusterAdmin. Register another one first, here or by '--setup add-admin' on the "
                + "server's machine.");
        }
    }

    /// <summary>Renewals follow the entry that they renew.</summary>
    private static void Put(
        TrustEdit edit, TrustSnapshot before, RegisteredCertificate? stored, RegisteredCertificate entry)
    {
        edit.Put(entry);
        edit.Changes.Add(Describe(stored == null ? "certificate.created" : "certificate.edited", stored, entry));
        foreach (RegisteredCertificate renewal in RenewalsOf(before, entry))
        {
            edit.Put(renewal.With(entry.Name, entry.Clearance, entry.Permissions));
        }
    }

    private static TrustEdit Remove(
        Identity by, TrustSnapshot before, IReadOnlyList<RegisteredCertificate> entries)
    {
        RegisteredCertificate[] all =
            [.. entries.Concat(entries.SelectMany(entry => RenewalsOf(before, entry))).Distinct()];
        var edit = new TrustEdit();
        foreach (RegisteredCertificate entry in all)
        {
            CheckMayManage(by, entry.Clearance);
            edit.Remove(entry);
            edit.Changes.Add(Describe("certificate.deleted", entry, null));
        }

        CheckNotLast(by, before, all);
        return edit;
    }

    private static IEnumerable<RegisteredCertificate> RenewalsOf(TrustSnapshot before, RegisteredCertificate entry) =>
        before.Certificates.Where(c => c.RenewalOf == entry.Certificate.Digest);

    private static TrustChange Describe(
        string what, RegisteredCertificate? before, RegisteredCertificate? after) => new(
        what, (after ?? before)!.Certificate.Thumbprint, (after ?? before)!.Name,
        before == null ? null : TrustRegistry.Describe(before.Clearance, before.Permissions),
        after == null ? null : TrustRegistry.Describe(after.Clearance, after.Permissions));
}
