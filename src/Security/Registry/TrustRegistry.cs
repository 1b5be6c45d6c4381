using System.Globalization;
using System.Security.Cryptography;
using System.Text.Json;
using Raven.Security.Rights;

namespace Raven.Security.Registry;

//   TRUST-4  A change goes to the audit log, then to the store, and then it counts: what is answered is kept, and what
//            counts is in the log.
//   TRUST-5  Changes take turns, and each is checked against the state that it changes.
//   TRUST-6  A registry that cannot be read whole does not open. A missing record must not look like a wider right.

/// <summary>
/// The identities that the server trusts. There is no other authority: what is not registered is not trusted. Reads
/// take no lock. Safe for all threads.
/// </summary>
public sealed class TrustRegistry
{
    private readonly Lock _changing = new();
    private readonly ITrustStore _store;
    private readonly ITrustAudit _audit;
    private volatile TrustSnapshot _current;

    private TrustRegistry(ITrustStore store, ITrustAudit audit, TimeProvider clock, TrustSnapshot current)
    {
        _store = store;
        _audit = audit;
        Clock = clock;
        _current = current;
        Certificates = new CertificateRegistry(this);
        Keys = new KeyRegistry(this);
    }

    /// <summary>All identities as they are now.</summary>
    public TrustSnapshot Current => _current;

    /// <summary>Changes of certificates.</summary>
    public CertificateRegistry Certificates { get; }

    /// <summary>Changes of API keys.</summary>
    public KeyRegistry Keys { get; }

    internal TimeProvider Clock { get; }

    /// <summary>Raised behind each change, outside the lock, with the state that it made.</summary>
    public event Action<TrustSnapshot>? Changed;

    /// <summary>Reads all records.</summary>
    /// <exception cref="RegistryException">One of them cannot be read.</exception>
    public static TrustRegistry Open(ITrustStore store, ITrustAudit audit, TimeProvider clock)
    {
        ArgumentNullException.ThrowIfNull(store);
        return new TrustRegistry(store, audit, clock, Read(store, 1));
    }

    /// <summary>
    /// Called with each change of identities before it is kept here, where several servers share them: gives why it
    /// cannot be made, or null when all have it.
    /// </summary>
    public Func<IReadOnlyList<TrustRecord>, string?>? Shared { get; set; }

    /// <summary>Takes identities as another server has changed them; they count when this returns.</summary>
    /// <param name="changes">The records; one without a value is removed.</param>
    /// <exception cref="RegistryException">One of them cannot be read: those from before stay.</exception>
    public void Take(IReadOnlyList<TrustRecord> changes)
    {
        StoreLastUses();
        TrustSnapshot next;
        lock (_changing)
        {
            _store.Write(changes);
            _current = next = Read(_store, _current.Version + 1);
        }

        Changed?.Invoke(next);
    }

    private static TrustSnapshot Read(ITrustStore store, long version)
    {
        List<RegisteredCertificate> certificates = [];
        List<RegisteredKey> keys = [];
        foreach (TrustRecord record in store.ReadAll())
        {
            try
            {
                if (TrustRecordJson.IsCertificate(record.Key))
                {
                    certificates.Add(TrustRecordJson.ReadCertificate(record));
                }
                else if (TrustRecordJson.IsKey(record.Key))
                {
                    keys.Add(TrustRecordJson.ReadKey(record));
                }
                else
                {
                    throw new JsonException("It is neither a certificate nor a key.");
                }
            }
            catch (Exception e) when (e is JsonException or KeyNotFoundException or FormatException
                or InvalidOperationException or CryptographicException or ArgumentException)
            {
                throw new RegistryException(
                    RegistryRefusal.Unavailable,
                    $"The record '{record.Key}' of who is trusted cannot be read: {e.Message} The server does not "
                    + "start without it. Restore System~ from a backup, or remove the record on this machine.", e);
            }
        }

        return new TrustSnapshot(version, certificates, keys);
    }

    /// <summary>Stores when identities were last used, if that changed. Called now and then, not by requests.</summary>
    public void StoreLastUses()
    {
        lock (_changing)
        {
            List<TrustRecord> records = [];
            foreach (RegisteredCertificate certificate in _current.Certificates.Where(c => c.LastUse.IsOwed))
            {
                certificate.LastUse.Stored();
                records.Add(TrustRecordJson.Write(certificate));
            }

            foreach (RegisteredKey key in _current.Keys.Where(k => k.LastUse.IsOwed))
            {
                key.LastUse.Stored();
                records.Add(TrustRecordJson.Write(key));
            }

            if (records.Count > 0)
            {
                _store.Write(records);
            }
        }
    }

    /// <summary>Makes a change: decides it against the state of this moment, keeps it, publishes it.</summary>
    /// <param name="by">Who makes it.</param>
    /// <param name="decide">Gives what to change; throws <see cref="RegistryException"/> to refuse; gives null if there
    /// is nothing to change.</param>
    internal void Change(Identity by, Func<TrustSnapshot, TrustEdit?> decide)
    {
        TrustSnapshot next;
        lock (_changing)
        {
            TrustSnapshot before = _current;
            if (decide(before) is not { } edit)
            {
                return;
            }

            Record(by, edit);
            next = edit.ApplyTo(before);
            try
            {
                if (Shared?.Invoke(edit.Records) is { } problem)
                {
                    throw new IOException(problem);
                }

                _store.Write(edit.Records);
            }
            catch (Exception e) when (e is IOException or InvalidOperationException)
            {
                foreach (TrustChange change in edit.Changes)
                {
                    _audit.RecordFailure(by, change);
                }

                throw new RegistryException(
                    RegistryRefusal.Unavailable, $"The change cannot be kept: {e.Message} Nothing has changed.", e);
            }

            _current = next;
        }

        Changed?.Invoke(next);
    }

    private void Record(Identity by, TrustEdit edit)
    {
        try
        {
            foreach (TrustChange change in edit.Changes)
            {
                _audit.Record(by, change);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RegistryException(
                RegistryRefusal.Unavailable,
                $"The audit log cannot be written, so nothing has changed: {e.Message}", e);
        }
    }

    /// <summary>Rights in a few words, for the audit log.</summary>
    internal static string Describe(Clearance clearance, Permissions permissions) =>
        permissions.All.Count == 0
            ? Clearances.NameOf(clearance)
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Clearances.NameOf(clearance)} ({string.Join(", ", permissions.All
                    .OrderBy(p => p.Key, StringComparer.OrdinalIgnoreCase)
                    .Select(p => $"{p.Key}={Clearances.NameOf(p.Value)}"))})");
}
