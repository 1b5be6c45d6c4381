using System.Text.Json;
using Microsoft.IdentityModel.Tokens;

namespace Raven.Security.Tokens;

//   ISSUER-1  Keys come from the configured issuer alone, over https, without redirects, 64 KB at most: nothing in a
//             token says where to look.
//   ISSUER-2  No request waits for the issuer, and unknown keys cost it one request a minute at most.

/// <summary>
/// The signing keys of an issuer, read from its metadata (OpenID Connect Discovery 1.0, section 4).
/// Safe for all threads.
/// </summary>
public sealed class IssuerKeys : ISigningKeys, IDisposable
{
    /// <summary>The longest answer of the issuer.</summary>
    public const int AnswerBytesMax = 64 * 1024;

    private static readonly TimeSpan RenewAfter = TimeSpan.FromHours(1);
    private static readonly TimeSpan FetchAgainAfter = TimeSpan.FromMinutes(1);

    private readonly Uri _issuer;
    private readonly HttpClient _client;
    private readonly TimeProvider _clock;
    private readonly Action<string> _onFailure;
    private readonly ITimer _renewal;
    private readonly Lock _gate = new();
    private long _fetchedAt;
    private bool _hasFetched;
    private volatile IReadOnlyList<SecurityKey> _current = [];

    /// <summary>Begins to read the keys of an issuer.</summary>
    /// <param name="issuer">An https url.</param>
    /// <param name="clock">Says when keys are read again.</param>
    /// <param name="onFailure">Takes why keys could not be read; those before stay.</param>
    /// <param name="handler">Sends requests; null for one that follows no redirect.</param>
    public IssuerKeys(Uri issuer, TimeProvider clock, Action<string> onFailure, HttpMessageHandler? handler = null)
    {
        ArgumentNullException.ThrowIfNull(clock);
        _issuer = issuer;
        _clock = clock;
        _onFailure = onFailure;
        _client = new HttpClient(handler ?? new SocketsHttpHandler { AllowAutoRedirect = false, UseCookies = false })
        {
            MaxResponseContentBufferSize = AnswerBytesMax,
            Timeout = TimeSpan.FromSeconds(10),
        };
        _renewal = clock.CreateTimer(_ => NoteUnknown(), null, TimeSpan.Zero, RenewAfter);
    }

    /// <inheritdoc/>
    public IReadOnlyList<SecurityKey> Current => _current;

    /// <inheritdoc/>
    public void NoteUnknown()
    {
        lock (_gate)
        {
            if (_hasFetched && _clock.GetElapsedTime(_fetchedAt) < FetchAgainAfter)
            {
                return;
            }

            _hasFetched = true;
            _fetchedAt = _clock.GetTimestamp();
        }

        _ = Task.Run(FetchAsync);
    }

    /// <summary>Reads the keys now.</summary>
    public async Task FetchAsync()
    {
        try
        {
            using JsonDocument metadata = JsonDocument.Parse(
                await ReadAsync(new Uri($"{_issuer.AbsoluteUri.TrimEnd('/')}/.well-known/openid-configuration"))
                    .ConfigureAwait(false));
            if (metadata.RootElement.GetProperty("issuer").GetString() is { } named
                && named.TrimEnd('/') != _issuer.AbsoluteUri.TrimEnd('/'))
            {
                throw new InvalidOperationException($"its metadata is that of '{named}'");
            }

            string address = metadata.RootElement.GetProperty("jwks_uri").GetString() ?? "";
            var keys = new JsonWebKeySet(await ReadAsync(new Uri(address)).ConfigureAwait(false));
            IList<SecurityKey> found = keys.GetSigningKeys();
            _current = found.Count > 0
                ? [.. found]
                : throw new InvalidOperationException("it has no key that signs");
        }
        catch (Exception e) when (e is HttpRequestException or JsonException or InvalidOperationException
            or KeyNotFoundException or ArgumentException or FormatException or OperationCanceledException)
        {
            _onFailure($"The keys of the issuer {_issuer} cannot be read: {e.Message}");
        }
    }

    private async Task<string> ReadAsync(Uri address)
    {
        if (address.Scheme != Uri.UriSchemeHttps)
        {
            throw new InvalidOperationException($"'{address}' is not https");
        }

        using HttpResponseMessage answer = await _client.GetAsync(address).ConfigureAwait(false);
        return answer.IsSuccessStatusCode
            ? await answer.Content.ReadAsStringAsync().ConfigureAwait(false)
            : throw new InvalidOperationException($"'{address}' answered {(int)answer.StatusCode}");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _renewal.Dispose();
        _client.Dispose();
    }
}
