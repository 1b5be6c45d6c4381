using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Security.Certificates;

//   CERT-1  One field holds all that a handshake needs. A reload makes a new value, checks it as at the start, and then
//           sets the field: a handshake has the old certificate or the new one, whole.
//   CERT-2  A reload that fails changes nothing but the counter of failures.
//   CERT-3  The old certificate is not disposed of while a handshake may use it: the collector does that.

/// <summary>
/// The certificate that a server presents, which is replaced while it runs. Safe for all threads; reloads take turns.
/// </summary>
public sealed class ServerCertificate
{
    private readonly Lock _reloading = new();
    private readonly ServerCertificateSource _source;
    private readonly TimeProvider _clock;
    private volatile Presented _presented;
    private string _stamp;
    private long _failureCount;

    private ServerCertificate(ServerCertificateSource source, TimeProvider clock, Presented presented, string stamp)
    {
        _source = source;
        _clock = clock;
        _presented = presented;
        _stamp = stamp;
    }

    /// <summary>The certificate that is presented now.</summary>
    public X509Certificate2 Current => _presented.Leaf;

    /// <summary>The same with its chain, as a handshake takes it.</summary>
    public SslStreamCertificateContext Context => _presented.Context;

    /// <summary>How many reloads have failed since the start.</summary>
    public long FailureCount => Volatile.Read(ref _failureCount);

    /// <summary>Why the last reload failed; null if it did not.</summary>
    public string? LastFailure { get; private set; }

    /// <summary>When it ends.</summary>
    public DateTimeOffset NotAfter => new(_presented.Leaf.NotAfter.ToUniversalTime());

    /// <summary>The time until it ends; negative if it has ended.</summary>
    public TimeSpan Left => NotAfter - _clock.GetUtcNow();

    /// <summary>The folders of its files; none if a program prints it.</summary>
    public IReadOnlyList<string> Folders => [.. _source.Files
        .Select(path => Path.GetDirectoryName(Path.GetFullPath(path)) ?? path).Distinct(StringComparer.Ordinal)];

    /// <summary>Reads the certificate and checks it.</summary>
    /// <exception cref="CertificateException">It cannot be used; the message says why.</exception>
    public static ServerCertificate Load(ServerCertificateSource source, TimeProvider clock)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(clock);
        string stamp = StampOf(source);
        return new ServerCertificate(source, clock, Read(source, clock), stamp);
    }

    /// <summary>Reads it again, if its files look changed or it is asked for.</summary>
    /// <param name="always">True to read it whatever the files look like.</param>
    /// <returns>True if another certificate is presented from now on.</returns>
    /// <exception cref="CertificateException">It cannot be used; the one before stays.</exception>
    public bool Reload(bool always)
    {
        lock (_reloading)
        {
            string stamp = StampOf(_source);
            if (!always && (stamp == _stamp || _source.Program != null))
            {
                return false;
            }

            try
            {
                Presented next = Read(_source, _clock);
                bool isNew = !next.Leaf.RawDataMemory.Span.SequenceEqual(_presented.Leaf.RawDataMemory.Span);
                _presented = next;
                _stamp = stamp;
                LastFailure = null;
                return isNew;
            }
            catch (CertificateException e)
            {
                Interlocked.Increment(ref _failureCount);
                LastFailure = e.Message;

                // What is only half written is read again at the next look; what is wrong is not, until it changes.
                _stamp = e.MayBeHalfWritten ? "" : stamp;
                throw;
            }
        }
    }

    /// <summary>
    /// Replaces the file of the certificate, and presents what is in it from now on. It is checked as at the start; the
    /// file before stays beside it as <c>.old</c>.
    /// </summary>
    /// <param name="pkcs12">The certificate with its key, PKCS#12 without a password.</param>
    /// <exception cref="CertificateException">It cannot be used, or the certificate comes from elsewhere; nothing has
    /// changed.</exception>
    public void Replace(ReadOnlySpan<byte> pkcs12)
    {
        lock (_reloading)
        {
            _source.Replace(pkcs12, _clock.GetUtcNow());
            Presented next = Read(_source, _clock);
            _presented = next;
            _stamp = StampOf(_source);
            LastFailure = null;
        }
    }

    private static Presented Read(ServerCertificateSource source, TimeProvider clock)
    {
        CertificateBundle bundle = source.Read();
        try
        {
            CertificateUse.CheckServer(bundle.Leaf, clock.GetUtcNow(), source.Name);

            // Offline: a handshake looks nothing up on the network.
            SslStreamCertificateContext context =
                SslStreamCertificateContext.Create(bundle.Leaf, bundle.Intermediates, offline: true);
            return new Presented(bundle.Leaf, context);
        }
        catch (CryptographicException e)
        {
            bundle.Dispose();
            throw new CertificateException($"{source.Name} cannot be used: {e.Message}", e);
        }
        catch (CertificateException)
        {
            bundle.Dispose();
            throw;
        }
    }

    /// <summary>Length and time of each file: when they change, the content may have.</summary>
    private static string StampOf(ServerCertificateSource source) => string.Join(';', source.Files.Select(StampOf));

    /// <summary>
    /// Of the file that a link leads to: Kubernetes changes a folder on the way, and neither the link nor the old file.
    /// </summary>
    private static string StampOf(string path)
    {
        try
        {
            var named = new FileInfo(path);
            FileInfo file = named.ResolveLinkTarget(returnFinalTarget: true) is { } target
                ? new FileInfo(target.FullName)
                : named;
            return file.Exists ? $"{file.FullName}:{file.Length}@{file.LastWriteTimeUtc.Ticks}" : "none";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "none";
        }
    }

    private sealed record Presented(X509Certificate2 Leaf, SslStreamCertificateContext Context);
}
