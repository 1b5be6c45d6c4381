using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Database;

namespace Raven.Client.Http;

/// <summary>
/// Sends one command to one server: applies cache and timeout, and turns answers and failures into
/// results and exceptions.
/// </summary>
internal sealed class RequestSender(ExecutorContext context, string? database)
{
    private const int CompressedSizeBytesMin = 4096;

    private int _isRefreshWanted;

    /// <summary>Whether a server has announced a new topology; true only once.</summary>
    internal bool TakeRefreshWanted() => _isRefreshWanted != 0 && Interlocked.Exchange(ref _isRefreshWanted, 0) != 0;

    /// <summary>The version of the list of servers, which each request says; 0 before there is one.</summary>
    internal long TopologyEtag { get; set; }

    internal async Task<Attempt<TResult>> SendAsync<TResult>(
        RavenCommand<TResult> command, ServerNode node, int attempt, CancellationToken cancellationToken)
    {
        using HttpRequestMessage request = command.CreateRequest(node);
        Prepare(request);
        string url = request.RequestUri!.OriginalString;
        bool canCache = command.CanCache && !command.DisableCaching;
        HttpCache.Entry? cached = canCache ? context.Cache.TryGet(url) : null;
        if (cached != null && IsFresh(command, cached))
        {
            return Read(command, node, url, new RavenResponse(304, EmptyHeaders.Value, cached.Body, cached.Etag));
        }

        if (cached != null)
        {
            request.Headers.TryAddWithoutValidation("If-None-Match", $"\"{cached.Etag}\"");
        }

        context.OnBefore(database, request, attempt);
        TimeSpan timeout = command.Timeout ?? context.RequestTimeout.Value ?? context.Conventions.RequestTimeout;
        command.AnswerTimeMax = timeout;
        timeout = timeout == Timeout.InfiniteTimeSpan ? timeout : timeout + WaitOf(command);
        command.StoreEnd = context.End;
        CancellationTokenSource timed = context.Limits.Begin(timeout, cancellationToken);
        try
        {
            return await ExchangeAsync(command, node, request, cached, canCache, timed.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (e.InnerException is TimeoutException
            && !timed.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return Fail<TResult>(node, url, new AllTopologyNodesDownException(
                $"Cannot connect to {node.Url} in time.", e), mayBeDone: false);
        }
        catch (OperationCanceledException e) when (!cancellationToken.IsCancellationRequested)
        {
            return Fail<TResult>(node, url, new RavenTimeoutException(
                $"{request.Method} {url} was not answered within {timeout}.", e), mayBeDone: true);
        }
        catch (HttpRequestException e) when (IsRefused(e))
        {
            RavenException failure = context.Security.Explain(request.RequestUri, e) as RavenException
                ?? new AllTopologyNodesDownException($"Cannot connect to {node.Url}: {e.Message}", e);
            return Fail<TResult>(node, url, failure, mayBeDone: false);
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            return Fail<TResult>(node, url, new RequestFailedException(
                $"The connection broke during {request.Method} {url}: {e.Message}"
                + context.Security.HintOf(request.RequestUri), e), mayBeDone: true);
        }
        finally
        {
            context.Limits.End(timed, cancellationToken);
        }
    }

    /// <summary>How much longer the timeout of a command is, because the server may wait before it answers.</summary>
    private static TimeSpan WaitOf<TResult>(RavenCommand<TResult> command) =>
        command.ServerWaitMax < RavenCommand<TResult>.LongestServerWait
            ? command.ServerWaitMax
            : RavenCommand<TResult>.LongestServerWait;

    private static bool IsRefused(HttpRequestException e) => e.HttpRequestError is HttpRequestError.ConnectionError
        or HttpRequestError.NameResolutionError or HttpRequestError.SecureConnectionError
        or HttpRequestError.ProxyTunnelError;

    /// <summary>
    /// Whether an exception comes from a body that is no JSON, or not the expected JSON: it may be from a proxy, or
    /// from another program at that address.
    /// </summary>
    private static bool IsUnreadable(Exception e) => e is JsonException or KeyNotFoundException or FormatException
        || (e is InvalidOperationException
            && e.Source?.StartsWith("System.Text.Json", StringComparison.Ordinal) == true);

    private Attempt<TResult> Read<TResult>(
        RavenCommand<TResult> command, ServerNode node, string url, RavenResponse response)
    {
        try
        {
            return new(command.ReadResponse(response), null);
        }
        catch (Exception e) when (IsUnreadable(e))
        {
            // At this address there is no such server, or not at present: another may answer.
            string text = Encoding.UTF8.GetString(response.Body.Span[..Math.Min(response.Body.Length, 500)]);
            return Fail<TResult>(node, url, new RequestFailedException(
                $"{url} was answered {response.StatusCode}, but not as Raven answers: {text}", e)
            {
                StatusCode = response.StatusCode,
            }, mayBeDone: true);
        }
    }

    private Attempt<TResult> Fail<TResult>(ServerNode node, string url, RavenException exception, bool mayBeDone)
    {
        exception.RequestUrl ??= url;
        context.OnFailure(database, url, exception);
        return new Attempt<TResult>(default, new RequestFailure(node, exception, mayBeDone));
    }

    private void Prepare(HttpRequestMessage request)
    {
        request.Headers.TryAddWithoutValidation("Raven-Client-Version", ExecutorContext.ClientVersion);
        if (TopologyEtag > 0)
        {
            request.Headers.TryAddWithoutValidation(
                "Topology-Etag", TopologyEtag.ToString(CultureInfo.InvariantCulture));
        }

        if (request.Content is null && request.Method != HttpMethod.Get && request.Method != HttpMethod.Head)
        {
            // What has no content is sent again by the library when its connection ends without an answer, and would be
            // done twice.
            request.Content = new ReadOnlyMemoryContent(default);
        }

        if (context.Conventions.UseHttpCompression
            && request.Content is JsonBody { Length: >= CompressedSizeBytesMin } body)
        {
            request.Content = body.Compressed();
        }
    }

    private bool IsFresh<TResult>(RavenCommand<TResult> command, HttpCache.Entry cached)
    {
        AggressiveCacheScope? scope = context.AggressiveCache.Value;
        return scope != null && scope.Duration > TimeSpan.Zero
            && (!scope.TracksChanges
                || (context.IsTracking(database) && cached.Generation == context.Generation
                    && (cached.IsTracked ??= command.IsTracked(cached.Body))))
            && context.Conventions.Clock.GetElapsedTime(cached.ValidatedAt) < scope.Duration;
    }

    private async Task<Attempt<TResult>> ExchangeAsync<TResult>(
        RavenCommand<TResult> command, ServerNode node, HttpRequestMessage request, HttpCache.Entry? cached,
        bool canCache, CancellationToken cancellationToken)
    {
        long generation = context.Generation;
        HttpResponseMessage answer =
            await context.Http.SendAsync(request, cancellationToken).ConfigureAwait(false);
        bool isHandedOver = false;
        try
        {
            int status = (int)answer.StatusCode;
            if (answer.Headers.NonValidated.Contains("Refresh-Topology"))
            {
                Volatile.Write(ref _isRefreshWanted, 1);
            }

            if (command.IsStream && answer.IsSuccessStatusCode)
            {
                context.OnSuccess(database, request, answer);
                isHandedOver = true;
                return new Attempt<TResult>(command.ReadStream(answer), null);
            }

            byte[] bytes = await answer.Content.ReadAsByteArrayAsync(cancellationToken).ConfigureAwait(false);
            bool isGood = answer.IsSuccessStatusCode || status == 304
                || (status == 404 && command.AcceptsNotFound(answer));
            if (!isGood)
            {
                return Refused<TResult>(node, request, answer, bytes);
            }

            context.OnSuccess(database, request, answer);
            ReadOnlyMemory<byte> body = canCache ? Keep(request, answer, cached, bytes, generation) : bytes;
            return Read(
                command, node, request.RequestUri!.OriginalString, new RavenResponse(status, answer.Headers, body));
        }
        finally
        {
            if (!isHandedOver)
            {
                answer.Dispose();
            }
        }
    }

    /// <summary>Keeps the body of an answer with a tag; after a 304, returns the cached one.</summary>
    private ReadOnlyMemory<byte> Keep(
        HttpRequestMessage request, HttpResponseMessage answer, HttpCache.Entry? cached, byte[] bytes, long generation)
    {
        long now = context.Conventions.Clock.GetTimestamp();
        if (answer.StatusCode == HttpStatusCode.NotModified && cached != null)
        {
            cached.ValidatedAt = now;
            cached.Generation = generation;
            return cached.Body;
        }

        if (answer.StatusCode == HttpStatusCode.OK && RavenResponse.TagOf(answer.Headers) is { } tag)
        {
            context.Cache.Set(request.RequestUri!.OriginalString, tag, bytes, now, generation);
        }

        return bytes;
    }

    private Attempt<TResult> Refused<TResult>(
        ServerNode node, HttpRequestMessage request, HttpResponseMessage answer, byte[] body)
    {
        string url = request.RequestUri!.OriginalString;
        int status = (int)answer.StatusCode;
        if (answer.Headers.TryGetValues("Database-Missing", out IEnumerable<string>? missing))
        {
            string name = missing.First();
            throw new DatabaseDoesNotExistException(
                $"The database '{name}' does not exist on {node.Url}. Create it with "
                + "store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord(name))).")
            {
                DatabaseName = name,
                StatusCode = status,
                RequestUrl = url,
            };
        }

        RavenException exception = ExceptionFactory.FromAnswer(status, request.RequestUri.PathAndQuery, body);
        if (answer.StatusCode is HttpStatusCode.RequestTimeout or HttpStatusCode.BadGateway
            or HttpStatusCode.GatewayTimeout)
        {
            return Fail<TResult>(node, url, OfGateway(exception, status), mayBeDone: true);
        }

        if (answer.StatusCode is HttpStatusCode.ServiceUnavailable)
        {
            return Fail<TResult>(node, url, exception, mayBeDone: false);
        }

        if (exception is DatabaseNotRelevantException)
        {
            // The database has left the server, which says so before it does anything.
            return Fail<TResult>(node, url, exception, mayBeDone: false);
        }

        if (status == 500 && exception is RavenTimeoutException)
        {
            // The node has lost the primary, and does not know what became of the request.
            return Fail<TResult>(node, url, exception, mayBeDone: true);
        }

        context.OnFailure(database, url, exception);
        throw exception;
    }

    /// <summary>What is thrown for an answer that something between this client and the server gives when it has none
    /// of the server: the server may have done what was asked.</summary>
    private static RavenException OfGateway(RavenException answered, int status) => answered switch
    {
        OutcomeUnknownException => answered,
        _ when status == 502 => new RequestFailedException(answered.Message, answered) { StatusCode = status },
        _ => new RavenTimeoutException(answered.Message, answered) { StatusCode = status },
    };

    /// <summary>The headers of an answer that did not arrive.</summary>
    private static class EmptyHeaders
    {
        internal static readonly HttpResponseHeaders Value = new HttpResponseMessage().Headers;
    }
}
