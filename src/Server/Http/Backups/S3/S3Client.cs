using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using Amazon;
using Amazon.Runtime;
using Amazon.S3;
using Raven.Documents.Backups;

namespace Raven.Server.Http.Backups.S3;

//   S3-2  A call that fails as the network, or a server under load, makes it fail is made again after a pause that gets
//         longer; what the server refuses is not. What is said of a failure is the server's code and its status, and of
//         a server that does not speak S3 nothing but that.

/// <summary>Calls to one server of S3. Any thread.</summary>
internal sealed partial class S3Client : IDisposable
{
    private const int AttemptsMax = 10;

    private static readonly TimeSpan PauseMax = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan PatienceMax = TimeSpan.FromMinutes(10);

    private readonly S3Transport _transport;
    private readonly AmazonS3Client _client;
    private readonly TimeProvider _time;
    private readonly TimeSpan _pause;

    internal S3Client(ServerState server, S3Settings settings)
    {
        S3Address.Check(server.Options, settings);
        settings.RequireSecrets();
        Settings = settings;
        _time = server.Time;
        PartBytesMin = server.Options.BackupPartBytes;
        _pause = server.Options.BackupRetryPause;
        _transport = new S3Transport(settings.Server is { } own && S3Address.IsAllowed(server.Options, own));
        var config = new AmazonS3Config
        {
            HttpClientFactory = _transport,
            MaxErrorRetry = 0,
            Timeout = Timeout.InfiniteTimeSpan,
            AllowAutoRedirect = false,
            ForcePathStyle = settings.HasPathStyle,
            IgnoreConfiguredEndpointUrls = true,
            DisableS3ExpressSessionAuth = true,
            DisableMultiregionAccessPoints = true,

            // Each body is signed with its hash, which every server of this kind checks; newer sums few do.
            RequestChecksumCalculation = RequestChecksumCalculation.WHEN_REQUIRED,
            ResponseChecksumValidation = ResponseChecksumValidation.WHEN_REQUIRED,
        };
        if (settings.Server is { } url)
        {
            config.ServiceURL = url.GetLeftPart(UriPartial.Authority);
            config.AuthenticationRegion = settings.Region;
        }
        else
        {
            config.RegionEndpoint = RegionEndpoint.GetBySystemName(settings.Region);
        }

        _client = settings.SessionToken is { } token
            ? new AmazonS3Client(new SessionAWSCredentials(settings.AccessKey, settings.SecretKey, token), config)
            : new AmazonS3Client(new BasicAWSCredentials(settings.AccessKey, settings.SecretKey), config);
    }

    /// <summary>Where it is.</summary>
    internal S3Settings Settings { get; }

    /// <summary>The size of the parts of an object, unless it has too many of them.</summary>
    internal int PartBytesMin { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        _client.Dispose();
        _transport.Dispose();
    }

    /// <summary>Makes a call, again and again if that may help.</summary>
    /// <param name="call">The call.</param>
    /// <param name="max">How long it may take.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="BackupPlaceException">It failed; the failure itself is inside.</exception>
    internal async Task<T> CallAsync<T>(
        Func<AmazonS3Client, CancellationToken, Task<T>> call, TimeSpan max, CancellationToken cancellation)
    {
        long began = _time.GetTimestamp();
        for (int attempt = 1; ; attempt++)
        {
            using var timer = new CancellationTokenSource(max, _time);
            using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation, timer.Token);
            try
            {
                return await call(_client, stop.Token).ConfigureAwait(false);
            }
            catch (Exception e) when (IsFailure(e) && !cancellation.IsCancellationRequested)
            {
                if (attempt == AttemptsMax || _time.GetElapsedTime(began) > PatienceMax || !MayPass(e))
                {
                    throw Describe(e);
                }
            }

            await PauseAsync(attempt, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Waits before the next attempt.</summary>
    internal Task PauseAsync(int attempt, CancellationToken cancellation)
    {
        double ticks = Math.Min(_pause.Ticks * Math.Pow(2, attempt - 1), PauseMax.Ticks);
        double part = 0.5 + (RandomNumberGenerator.GetInt32(1_000) / 2_000.0);
        return Task.Delay(TimeSpan.FromTicks((long)(ticks * part)), _time, cancellation);
    }

    /// <summary>Whether a stream that breaks off with this is opened again.</summary>
    internal static bool IsFailure(Exception e) => e is AmazonServiceException or AmazonClientException
        or HttpRequestException or IOException or OperationCanceledException or BackupPlaceException
        or System.Xml.XmlException or FormatException or SocketException;

    /// <summary>Whether a failure is the server's saying that there is no such object.</summary>
    internal static bool IsMissing(BackupPlaceException e) =>
        e.InnerException is AmazonS3Exception { StatusCode: HttpStatusCode.NotFound } missing
        && missing.ErrorCode is not "NoSuchBucket";

    /// <summary>Whether a failure is the server's saying that it does not have such a call.</summary>
    internal static bool IsNotServed(BackupPlaceException e) => e.InnerException is AmazonS3Exception
    {
        StatusCode: HttpStatusCode.NotImplemented or HttpStatusCode.MethodNotAllowed or HttpStatusCode.BadRequest,
    };

    /// <summary>Says what has happened.</summary>
    internal BackupPlaceException Describe(Exception e)
    {
        for (Exception? at = e; at != null; at = at.InnerException)
        {
            if (at is BackupPlaceException known)
            {
                return known;
            }
        }

        return e is AmazonServiceException { ErrorCode: { } code } refusal && CodePattern().IsMatch(code)
            && refusal.StatusCode != 0
            ? new BackupPlaceException(
                $"{Settings.Description} refused: {code} ({(int)refusal.StatusCode}).{Hint(code)}", e)
            : new BackupPlaceException($"{Settings.Description}: there is no answer as a server of S3 gives it.", e);
    }

    private static string Hint(string code) => code switch
    {
        "SignatureDoesNotMatch" => " The secret key is not that of the access key.",
        "InvalidAccessKeyId" => " There is no such access key.",
        "ExpiredToken" => " The token of the session is no longer valid.",
        "NoSuchBucket" => " There is no such bucket.",
        "AccessDenied" => " The access key may not do that.",
        "RequestTimeTooSkewed" => " The clocks of the two machines are too far apart.",
        "SlowDown" => " It has too much to do.",
        _ => "",
    };

    private static bool MayPass(Exception e)
    {
        for (Exception? at = e; at != null; at = at.InnerException)
        {
            if (at is BackupPlaceException or SocketException { SocketErrorCode: SocketError.HostNotFound })
            {
                return false;
            }
        }

        return e is not AmazonServiceException { StatusCode: var status, ErrorCode: var code }
            || status == 0 || (int)status is 408 or 429 or >= 500
            || ((int)status < 300 && code != null)
            || code is "SlowDown" or "RequestTimeout" or "InternalError" or "ServiceUnavailable" or "OperationAborted"
            || e is AmazonUnmarshallingException;
    }

    [GeneratedRegex("^[A-Za-z0-9.]{1,64}$(?<!\n)")]
    private static partial Regex CodePattern();
}
