using System.Collections.Concurrent;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Queries;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Forwarding;

/// <summary>Sends requests of clients to another node, and its answers back. Safe for all threads.</summary>
internal sealed class Forwarder : IDisposable
{
    /// <summary>How long the answer of a node is waited for that is not the primary any more.</summary>
    private static readonly TimeSpan LeavingMax = TimeSpan.FromSeconds(2);

    private readonly ServerState _server;
    private readonly IClusterNode _cluster;
    private readonly HttpMessageInvoker _http;

    /// <summary>Nodes whose last connection was cut. A process that ends takes requests as long as its sockets are not
    /// closed yet, so these are asked first whether they want a body.</summary>
    private readonly ConcurrentDictionary<string, bool> _doubted = [];

    internal Forwarder(ServerState server, IClusterNode cluster)
    {
        _server = server;
        _cluster = cluster;
        SocketsHttpHandler handler = cluster.CreateHandler();
        handler.AllowAutoRedirect = false;
        handler.UseCookies = false;
        handler.UseProxy = false;
        handler.AutomaticDecompression = DecompressionMethods.None;
        handler.ActivityHeadersPropagator = null;
        handler.EnableMultipleHttp2Connections = true;
        handler.PooledConnectionIdleTimeout = TimeSpan.FromSeconds(60);
        handler.ConnectTimeout = TimeSpan.FromSeconds(3);

        // The body of a client is only taken when the other node wants it: until then it can be sent elsewhere.
        handler.Expect100ContinueTimeout = Placement.HoldMax;
        _http = new HttpMessageInvoker(handler, disposeHandler: true);
    }

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    /// <summary>Sends a request to a node, and its answer to the client.</summary>
    /// <param name="request">The request, of whose answer nothing was sent.</param>
    /// <param name="node">The node.</param>
    /// <param name="group">The group of the database; null if the request is about the cluster.</param>
    /// <param name="held">Its body, if that was read; null if it has none or was not read.</param>
    internal async ValueTask<ForwardOutcome> SendAsync(
        RequestContext request, NodeView node, GroupView? group, HeldBody? held)
    {
        if (node.NodeUrl.Length == 0)
        {
            // What this node knows of the group may be newer than what it knows of the nodes, soon after its start.
            return ForwardOutcome.NotDone;
        }

        ForwardedBody? body = held == null ? BodyOf(request) : null;
        using HttpRequestMessage message = MessageOf(request, node, group, held, body);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(request.Aborted);
        try
        {
            HttpResponseMessage answer;
            try
            {
                answer = await AnswerAsync(message, group, ended).ConfigureAwait(false);
            }
            catch (Exception e) when (!request.Aborted.IsCancellationRequested
                && e is HttpRequestException or OperationCanceledException or IOException)
            {
                if (body?.Failure is { } failure)
                {
                    // What the client sends is broken, or too slow: the answer is about that.
                    System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(failure);
                }

                if (WasNotSent(e, message, ended.Token))
                {
                    return ForwardOutcome.NotDone;
                }

                _doubted[node.Tag] = true;
                return ForwardOutcome.Cut;
            }

            using (answer)
            {
                if (!_doubted.IsEmpty)
                {
                    _doubted.TryRemove(node.Tag, out _);
                }

                if (answer.Headers.NonValidated.Contains(ForwardHeaders.NotPrimary))
                {
                    return body is { IsBegun: true } ? ForwardOutcome.Spent : ForwardOutcome.NotDone;
                }

                if (group is { IsOpen: true }
                    && answer.Headers.NonValidated.TryGetValues(ForwardHeaders.Indexes, out HeaderStringValues covered))
                {
                    await IndexWait.CatchUpAsync(request, _cluster, group, covered.ToString()).ConfigureAwait(false);
                }

                await PassBackAsync(request, answer).ConfigureAwait(false);
                if (body is { IsSent: true })
                {
                    request.NoteBodyEnd();
                }

                return ForwardOutcome.Answered;
            }
        }
        finally
        {
            if (body != null)
            {
                await body.EndAsync().ConfigureAwait(false);
            }
        }
    }

    /// <summary>Nothing was done if there was no connection, also not in time, or the other node has got nothing of the
    /// body: no handler does anything before it has the body.</summary>
    private static bool WasNotSent(Exception failure, HttpRequestMessage message, CancellationToken ended) =>
        failure is HttpRequestException
        {
            HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError
                or HttpRequestError.SecureConnectionError
        }
        || (!ended.IsCancellationRequested
            && failure is OperationCanceledException { InnerException: TimeoutException })
        || message.Content is ForwardedBody { IsBegun: false } or HeldContent { IsUnsent: true };

    /// <summary>The body of a request as it comes; null if it has none.</summary>
    private static ForwardedBody? BodyOf(RequestContext request)
    {
        if (!HeldBody.IsThere(request))
        {
            return null;
        }

        // How long it may be, and how slow, is decided by the node that reads it.
        if (request.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } size)
        {
            size.MaxRequestBodySize = null;
        }

        if (request.Features.Get<IHttpMinRequestBodyDataRateFeature>() is { } rate)
        {
            rate.MinDataRate = null;
        }

        return new ForwardedBody(
            request.Features.Get<IRequestBodyPipeFeature>()!.Reader, request.Headers.ContentLength);
    }

    private static HttpContent? ContentOf(RequestContext request, HeldBody? held, ForwardedBody? body)
    {
        if (held != null)
        {
            return new HeldContent(held.Bytes);
        }

        bool isWrite = request.Verb is not (HttpVerb.Get or HttpVerb.Head);
        return body == null && isWrite ? new HeldContent(default) : body;
    }

    private HttpRequestMessage MessageOf(
        RequestContext request, NodeView node, GroupView? group, HeldBody? held, ForwardedBody? body)
    {
        string target = request.RawTarget.StartsWith('/')
            ? request.RawTarget
            : new Uri(request.RawTarget, UriKind.Absolute).PathAndQuery;
        var message = new HttpRequestMessage(
            new HttpMethod(request.Method),
            new Uri(
                node.NodeUrl + target,
                new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true }))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionOrLower,
            Content = ContentOf(request, held, body),
        };
        ForwardHeaders.Copy(request.Headers, message);
        bool isAsked = body != null || (held != null && _doubted.ContainsKey(node.Tag));
        message.Headers.ExpectContinue = isAsked ? true : null;
        message.Headers.TryAddWithoutValidation(
            ForwardHeaders.Forwarded,
            string.Create(CultureInfo.InvariantCulture, $"{_cluster.Tag}, {group?.Epoch ?? 0}"));
        if (_cluster.ForwardKey is { } key)
        {
            message.Headers.TryAddWithoutValidation(ForwardHeaders.Key, key);
        }

        if (Upgrades.IsAskedFor(request))
        {
            message.Version = HttpVersion.Version11;
            message.Headers.Connection.Add("Upgrade");
            message.Headers.TryAddWithoutValidation("Upgrade", request.Headers.Upgrade.ToString());
        }

        if (_server.Security.IsSecured)
        {
            AddCaller(request, node, message);
        }

        return message;
    }

    /// <summary>Says who the client is, by what it has shown here: the other node looks whether that counts.</summary>
    private static void AddCaller(RequestContext request, NodeView node, HttpRequestMessage message)
    {
        Caller caller = request.Caller!;
        if (caller.Local != null)
        {
            throw new BadRequestException(
                400, ErrorType.InvalidOperation,
                $"Node {node.Tag} does this ({node.Url}), and does not know the local socket of another: use the one "
                + "on its machine, a registered certificate, or an API key.");
        }

        message.Headers.TryAddWithoutValidation(TrustedProxies.AddressHeader, caller.Address.ToString());
        if (caller.Certificate is { } certificate)
        {
            message.Headers.TryAddWithoutValidation(
                TrustedProxies.CertificateHeader, Convert.ToBase64String(certificate.RawData));
        }

        if (caller.Session is { } session)
        {
            message.Headers.TryAddWithoutValidation(ForwardHeaders.Session, session.KeyId);
        }
    }

    /// <summary>Waits for the head of the answer; not for long if another node has become the primary meanwhile.
    /// </summary>
    private async Task<HttpResponseMessage> AnswerAsync(
        HttpRequestMessage message, GroupView? group, CancellationTokenSource ended)
    {
        Task<HttpResponseMessage> answer = _http.SendAsync(message, ended.Token);
        using var looking = CancellationTokenSource.CreateLinkedTokenSource(ended.Token);
        long epoch = group?.Epoch ?? 0;
        while (group != null && !answer.IsCompleted)
        {
            Task change = _cluster.WaitForChangeAsync(group, looking.Token).AsTask();
            await Task.WhenAny(answer, change).ConfigureAwait(false);
            if (!answer.IsCompleted && (!_cluster.TryGetGroup(group.Database, out group) || group.Epoch != epoch))
            {
                ended.CancelAfter(LeavingMax);
                break;
            }
        }

        await looking.CancelAsync().ConfigureAwait(false);
        return await answer.ConfigureAwait(false);
    }

    private static async ValueTask PassBackAsync(RequestContext request, HttpResponseMessage answer)
    {
        IHttpResponseFeature response = request.Features.Get<IHttpResponseFeature>()!;
        response.StatusCode = (int)answer.StatusCode;
        ForwardHeaders.Copy(answer, response.Headers);
        if (answer.StatusCode == HttpStatusCode.SwitchingProtocols)
        {
            await Upgrades.RelayAsync(request, answer).ConfigureAwait(false);
            return;
        }

        IHttpResponseBodyFeature body = request.Features.Get<IHttpResponseBodyFeature>()!;
        await body.StartAsync(request.Aborted).ConfigureAwait(false);
        try
        {
            Stream stream = await answer.Content.ReadAsStreamAsync(request.Aborted).ConfigureAwait(false);
            await using (stream.ConfigureAwait(false))
            {
                await CopyAsync(stream, body.Writer, request.Aborted).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            // The other node has cut its answer: so is this one, or a client would take it for a whole one.
            request.Abort();
        }
    }

    private static async ValueTask CopyAsync(Stream from, PipeWriter to, CancellationToken cancellation)
    {
        int waiting = 0;
        while (true)
        {
            Memory<byte> room = to.GetMemory(4096);
            int count = await from.ReadAsync(room, cancellation).ConfigureAwait(false);
            if (count == 0)
            {
                return;
            }

            to.Advance(count);
            waiting += count;
            if (count == room.Length && waiting < ResponseWriter.SliceSizeBytes)
            {
                // There may be more of it at once.
                continue;
            }

            waiting = 0;
            FlushResult flushed = await to.FlushAsync(cancellation).ConfigureAwait(false);
            if (flushed.IsCompleted)
            {
                return;
            }
        }
    }
}
