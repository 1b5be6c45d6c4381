using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>One endpoint of etcd: what is known of it, and requests to it. Any thread.</summary>
internal sealed class EtcdEndpoint
{
    private const int BodyBytesMax = 64 << 20;

    private readonly HttpClient _http;
    private readonly EtcdIdentity _identity;
    private volatile bool _isChecked;

    internal EtcdEndpoint(HttpClient http, EtcdIdentity identity, Uri address)
    {
        _http = http;
        _identity = identity;
        Address = address;
    }

    internal Uri Address { get; }

    /// <summary>Its version, when it was asked.</summary>
    internal EtcdVersion Version { get; private set; }

    /// <summary>Sends a request, whose answer is one JSON.</summary>
    internal async Task<EtcdAnswer> PostAsync(string path, ReadOnlyMemory<byte> body, CancellationToken stop)
    {
        if (await CheckAsync(stop).ConfigureAwait(false) is { } wrong)
        {
            return wrong;
        }

        using var content = new OnceContent(body);
        try
        {
            using HttpRequestMessage request = RequestOf(path, content);
            using HttpResponseMessage response = await _http.SendAsync(request, stop).ConfigureAwait(false);
            byte[] bytes = await response.Content.ReadAsByteArrayAsync(stop).ConfigureAwait(false);
            return Read(response.IsSuccessStatusCode, bytes);
        }
        catch (Exception lost) when (IsOfNetwork(lost))
        {
            // Who listens there next may be another etcd.
            _isChecked = false;
            return new EtcdAnswer(
                content.IsSent ? EtcdAnswerKind.Lost : EtcdAnswerKind.NotSent, null,
                Problem: $"{Address}: {ReasonOf(lost, stop)}");
        }
    }

    /// <summary>Sends a request whose answer goes on and on.</summary>
    /// <returns>The answer, which the caller disposes of; or what is wrong.</returns>
    internal async Task<(HttpResponseMessage? Response, EtcdAnswer? Wrong)> OpenAsync(
        string path, ReadOnlyMemory<byte> body, CancellationToken stop)
    {
        if (await CheckAsync(stop).ConfigureAwait(false) is { } wrong)
        {
            return (null, wrong);
        }

        HttpResponseMessage? response = null;
        try
        {
            using HttpRequestMessage request = RequestOf(path, new OnceContent(body));
            response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, stop)
                .ConfigureAwait(false);
            if (response.IsSuccessStatusCode)
            {
                return (response, null);
            }

            EtcdAnswer error = Read(false, await response.Content.ReadAsByteArrayAsync(stop).ConfigureAwait(false));
            response.Dispose();
            return (null, error);
        }
        catch (Exception lost) when (IsOfNetwork(lost))
        {
            response?.Dispose();
            _isChecked = false;
            return (null, new EtcdAnswer(
                EtcdAnswerKind.Lost, null, Problem: $"{Address}: {ReasonOf(lost, stop)}"));
        }
    }

    /// <summary>Whether an exception is what networks do.</summary>
    internal static bool IsOfNetwork(Exception exception) => exception
        is HttpRequestException or OperationCanceledException or IOException or JsonException
        or ObjectDisposedException;

    private static string ReasonOf(Exception lost, CancellationToken stop) =>
        stop.IsCancellationRequested ? "no answer in time" : (lost.InnerException ?? lost).Message;

    private HttpRequestMessage RequestOf(string path, OnceContent content)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, new Uri(Address, path)) { Content = content };

        // A member that has no leader says so, in place of being silent.
        request.Headers.Add("Grpc-Metadata-hasleader", "true");
        return request;
    }

    /// <summary>Asks for the version and the cluster, once for each time that it is connected to: nothing is written to
    /// an etcd that is not the one.</summary>
    private async Task<EtcdAnswer?> CheckAsync(CancellationToken stop)
    {
        if (_identity.Fault is { } fault)
        {
            return new EtcdAnswer(EtcdAnswerKind.Unfit, null, Problem: fault);
        }

        if (_isChecked)
        {
            return null;
        }

        try
        {
            string? unfit = await VersionProblemAsync(stop).ConfigureAwait(false);
            if (unfit is null)
            {
                using HttpRequestMessage request =
                    new(HttpMethod.Post, new Uri(Address, "/v3/maintenance/status"))
                    {
                        Content = new OnceContent("{}"u8.ToArray()),
                    };
                using HttpResponseMessage response = await _http.SendAsync(request, stop).ConfigureAwait(false);
                EtcdAnswer status = Read(
                    response.IsSuccessStatusCode,
                    await response.Content.ReadAsByteArrayAsync(stop).ConfigureAwait(false));
                if (status.Body is not { } body)
                {
                    return status with { Kind = EtcdAnswerKind.NotSent };
                }

                unfit = _identity.ProblemOf(EtcdJson.Text(EtcdJson.Header(body), "cluster_id"), Address);
            }

            _isChecked = unfit is null;
            return unfit is null ? null : new EtcdAnswer(EtcdAnswerKind.Unfit, null, Problem: unfit);
        }
        catch (Exception lost) when (IsOfNetwork(lost))
        {
            return new EtcdAnswer(EtcdAnswerKind.NotSent, null, Problem: $"{Address}: {ReasonOf(lost, stop)}");
        }
    }

    private async Task<string?> VersionProblemAsync(CancellationToken stop)
    {
        using HttpResponseMessage response = await _http.GetAsync(new Uri(Address, "/version"), stop)
            .ConfigureAwait(false);
        byte[] bytes = await response.Content.ReadAsByteArrayAsync(stop).ConfigureAwait(false);
        if (!response.IsSuccessStatusCode)
        {
            return $"{Address} is no etcd: it does not say its version.";
        }

        using JsonDocument document = JsonDocument.Parse(bytes);
        if (document.RootElement.ValueKind != JsonValueKind.Object
            || !EtcdVersion.TryParse(EtcdJson.Text(document.RootElement, "etcdserver"), out EtcdVersion version))
        {
            return $"{Address} is no etcd: it does not say its version.";
        }

        Version = version;
        return version.ProblemOf(Address.ToString());
    }

    private EtcdAnswer Read(bool isSuccess, byte[] bytes)
    {
        if (bytes.Length > BodyBytesMax)
        {
            return new EtcdAnswer(EtcdAnswerKind.Lost, null, Problem: $"{Address}: an answer of {bytes.Length} bytes");
        }

        using JsonDocument document = JsonDocument.Parse(bytes);
        JsonElement body = document.RootElement.Clone();
        return isSuccess && body.ValueKind == JsonValueKind.Object
            ? new EtcdAnswer(EtcdAnswerKind.Answered, body)
            : EtcdJson.ErrorOf(body, Address);
    }
}
