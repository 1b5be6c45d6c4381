using System.Text;
using System.Text.Json;
using Raven.Documents.Subscriptions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// The changes of a database from a token on, without anything that the server keeps of the reader: the last version
/// of each document, and deletions.
/// </summary>
internal static class FeedHandler
{
    private const int LimitDefault = 256;
    private const int LimitMax = 65_536;
    private const string LongPoll = "longpoll";
    private const string Lines = "jsonl";
    private const string Events = "sse";

    private static readonly TimeSpan BeatDefault = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan BeatMin = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan WaitMax = TimeSpan.FromMinutes(5);

    [Route("GET", "/databases/*/feed", Access.Read, Place = Place.Any, IsStream = true, Audit = "data.streamed",
        Summary = "The changes of documents from a token on",
        Query = "collection, query, since, mode, limit:int, wait, heartbeat, deletes:bool, docs")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        string mode = request.Query.GetText("mode") ?? LongPoll;
        if (mode is not (LongPoll or Lines or Events))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, $"mode must be {LongPoll}, {Lines} or {Events}, not '{mode}'.");
        }

        int limit = Math.Clamp(request.Query.GetInt32("limit", LimitDefault, 1), 1, LimitMax);
        bool hasDocuments = request.Query.GetText("docs") is null or "" || request.Query.GetBool("docs");
        using ChangeFeed feed = request.Database.Subscriptions(request.Server.Queries).OpenFeed(
            QueryOf(request), TokenOf(request), request.Query.GetBool("deletes"));
        request.Announce();

        // Before anything is sent, so that a token that is lost is an answer of its own.
        bool isMore = feed.Read(limit);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(request.Aborted, request.Server.Stopping);
        if (mode == LongPoll)
        {
            TimeSpan wait = SubscriptionLeaseHandler.Span(
                request.Query.GetText("wait"), "wait", TimeSpan.Zero, WaitMax);
            await PollAsync(request, feed, isMore, limit, hasDocuments, wait, ended.Token).ConfigureAwait(false);
        }
        else
        {
            TimeSpan beat = SubscriptionLeaseHandler.Span(
                request.Query.GetText("heartbeat"), "heartbeat", BeatDefault, WaitMax);
            request.Response.Headers.ContentType = mode == Lines ? ContentType.JsonLines : "text/event-stream";
            await RunAsync(
                request, feed, isMore, limit, hasDocuments, mode == Events, beat > BeatMin ? beat : BeatMin,
                ended.Token)
                .ConfigureAwait(false);
        }
    }

    private static string QueryOf(RequestContext request)
    {
        string? query = request.Query.GetText("query");
        string? collection = request.Query.GetText("collection");
        if (query is { Length: > 0 } && collection is { Length: > 0 })
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "A feed is of a collection or of a query, which names one.");
        }

        if (query is { Length: > 0 } || collection is not { Length: > 0 })
        {
            return query is { Length: > 0 } ? query : "from @all_docs";
        }

        string quoted = collection.Replace("\\", "\\\\", StringComparison.Ordinal)
            .Replace("'", "\\'", StringComparison.Ordinal);
        return $"from '{quoted}'";
    }

    private static FeedToken? TokenOf(RequestContext request)
    {
        string? text = request.Query.GetText("since");
        if (string.IsNullOrEmpty(text))
        {
            text = request.Headers["Last-Event-ID"].ToString();
        }

        return text switch
        {
            "" => default(FeedToken),
            "now" => null,
            _ when FeedToken.TryParse(text, request.Database.Id, out FeedToken token) => token,
            _ => throw new BadRequestException(
                400, ErrorType.Argument,
                $"since: '{text}' is no token of this database. 'now' begins with what comes."),
        };
    }

    /// <summary>Reads a page, and waits for it if there is nothing yet.</summary>
    private static async ValueTask PollAsync(
        RequestContext request, ChangeFeed feed, bool isMore, int limit, bool hasDocuments, TimeSpan wait,
        CancellationToken cancellation)
    {
        using var late = new CancellationTokenSource(
            wait > TimeSpan.Zero ? wait : Timeout.InfiniteTimeSpan, request.Server.Time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(late.Token, cancellation);
        while (feed.Items.Count == 0 && (isMore || wait > TimeSpan.Zero) && !late.IsCancellationRequested)
        {
            try
            {
                await (isMore ? Task.CompletedTask : feed.WaitAsync(either.Token)).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!request.Aborted.IsCancellationRequested)
            {
                break;
            }

            isMore = feed.Read(limit);
        }

        ResponseWriter response = request.Response;
        response.Headers.ContentType = ContentType.Json;
        response.ForbidStoring();
        response.Write("{\"Results\":["u8);
        for (int i = 0; i < feed.Items.Count; i++)
        {
            response.Write(i == 0 ? "\n"u8 : ",\n"u8);
            WriteItem(response, feed, feed.Items[i], hasDocuments);
        }

        response.Write(Encoding.UTF8.GetBytes($"],\"Token\":\"{feed.TokenText}\"}}"));
    }

    /// <summary>Sends changes as they happen, until the client or the server ends it.</summary>
    private static async ValueTask RunAsync(
        RequestContext request, ChangeFeed feed, bool isMore, int limit, bool hasDocuments, bool isEvents,
        TimeSpan beat, CancellationToken cancellation)
    {
        ResponseWriter response = request.Response;
        response.ForbidStoring();
        await response.FlushAsync(cancellation).ConfigureAwait(false);
        while (true)
        {
            foreach (FeedItem item in feed.Items)
            {
                if (isEvents)
                {
                    response.Write(Encoding.UTF8.GetBytes($"id: {feed.TokenOf(in item)}\ndata: "));
                }

                WriteItem(response, feed, item, hasDocuments);
                response.Write(isEvents ? "\n\n"u8 : "\n"u8);
            }

            if (feed.Items.Count > 0)
            {
                await response.FlushAsync(cancellation).ConfigureAwait(false);
            }

            if (!isMore && !await WaitAsync(request, feed, isEvents, beat, cancellation).ConfigureAwait(false))
            {
                return;
            }

            isMore = feed.Read(limit);
        }
    }

    /// <summary>Waits for changes, with a heartbeat now and then; false if the server stops.</summary>
    private static async ValueTask<bool> WaitAsync(
        RequestContext request, ChangeFeed feed, bool isEvents, TimeSpan beat, CancellationToken cancellation)
    {
        Task changed = feed.WaitAsync(cancellation);
        while (true)
        {
            try
            {
                await changed.WaitAsync(beat, request.Server.Time, cancellation).ConfigureAwait(false);
                return true;
            }
            catch (TimeoutException)
            {
                request.Response.Write(isEvents ? ":\n\n"u8 : "\n"u8);
                await request.Response.FlushAsync(cancellation).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!request.Aborted.IsCancellationRequested)
            {
                return false;
            }
        }
    }

    private static void WriteItem(ResponseWriter response, ChangeFeed feed, FeedItem item, bool hasDocuments)
    {
        response.Write("{\"Token\":\""u8);
        response.Write(Encoding.UTF8.GetBytes(feed.TokenOf(in item)));
        response.Write("\",\"Id\":"u8);
        response.Write(JsonSerializer.SerializeToUtf8Bytes(item.Id));
        response.Write(",\"ChangeVector\":\""u8);
        response.Write(Encoding.UTF8.GetBytes(item.ChangeVector));
        response.Write("\""u8);
        if (item.Document < 0)
        {
            response.Write(",\"Deleted\":true"u8);
        }
        else if (feed.Batch.ErrorOf(item.Document) is { } error)
        {
            response.Write(",\"Exception\":"u8);
            response.Write(JsonSerializer.SerializeToUtf8Bytes(error));
        }
        else if (hasDocuments)
        {
            response.Write(",\"Doc\":"u8);
            response.Write(feed.Batch.DataOf(item.Document));
        }

        response.Write("}"u8);
    }
}
