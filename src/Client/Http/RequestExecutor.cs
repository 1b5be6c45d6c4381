using Raven.Client.Exceptions;

namespace Raven.Client.Http;

/// <summary>
/// Sends commands to the servers of one database, or to the server itself: reads their list at the first command, waits
/// at most the request timeout, and continues with the next server if one cannot be reached. Safe for all threads.
/// </summary>
/// <remarks>
/// A write is sent to another server only if the first has certainly not executed it: there was no connection to it, or
/// it answered that it cannot serve, or the conventions allow a repetition. A read is also sent to another server if
/// there is no answer, a broken one, or one of another program.
/// </remarks>
public sealed class RequestExecutor
{
    private readonly ExecutorContext _context;
    private readonly RequestSender _sender;
    private readonly IReadOnlyList<string> _urls;
    private readonly Lock _lock = new();
    private volatile NodeList? _nodes;
    private Task<NodeList>? _loading;
    private int _isRefreshing;

    internal RequestExecutor(ExecutorContext context, IReadOnlyList<string> urls, string? database)
    {
        _context = context;
        _urls = urls;
        Database = database;
        _sender = new RequestSender(context, database);
    }

    /// <summary>The database; null if commands go to the server itself.</summary>
    public string? Database { get; }

    /// <summary>The servers, once the first command was sent; null until then.</summary>
    public Topology? Topology => _nodes?.Topology;

    internal ExecutorContext Context => _context;

    private IRequestConventions Sending => _context.Conventions;

    /// <summary>Sends a command and reads its answer.</summary>
    /// <param name="command">The command.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <returns>The content of the answer; null if what the command names does not exist.</returns>
    /// <exception cref="RavenException">
    /// The server refused the command. May be a derived type: no server could be reached, there was no answer in time,
    /// or the connection broke.
    /// </exception>
    public Task<TResult?> ExecuteAsync<TResult>(
        RavenCommand<TResult> command, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        return ExecuteAsync(command, start: 0, cancellationToken);
    }

    /// <summary>Sends a command and waits for its answer, blocking the thread.</summary>
    public TResult? Execute<TResult>(RavenCommand<TResult> command) =>
        ExecuteAsync(command).GetAwaiter().GetResult();

    /// <summary>Sends a command, beginning with the server at an index of the list.</summary>
    internal async Task<TResult?> ExecuteAsync<TResult>(
        RavenCommand<TResult> command, int start, CancellationToken cancellationToken)
    {
        NodeList nodes = await NodesAsync(cancellationToken).ConfigureAwait(false);
        IReadOnlyList<ServerNode> order = nodes.InOrder(command.IsReadRequest ? start : 0);
        List<RequestFailure>? failures = null;
        for (int i = 0; i < order.Count; i++)
        {
            Attempt<TResult> attempt =
                await _sender.SendAsync(command, order[i], i, cancellationToken).ConfigureAwait(false);
            if (attempt.Failure is not { } failure)
            {
                if (i > 0)
                {
                    nodes.SetWell(order[i]);
                    RefreshTopology();
                }
                else if (_sender.TakeRefreshWanted())
                {
                    RefreshTopology();
                }

                return attempt.Result;
            }

            nodes.SetFailed(order[i]);
            (failures ??= []).Add(failure);
            if (!command.CanResend || (failure.MayBeDone && !MayRepeat(command)))
            {
                break;
            }
        }

        throw Combine(failures!, command.IsReadRequest);
    }

    /// <summary>The index of the server with a tag in the list; 0 if the list has none with it.</summary>
    internal async ValueTask<int> IndexOfAsync(string? tag, CancellationToken cancellationToken)
    {
        IReadOnlyList<ServerNode> nodes =
            (await NodesAsync(cancellationToken).ConfigureAwait(false)).Topology.Nodes;
        for (int i = 0; i < nodes.Count; i++)
        {
            if (tag is not null && nodes[i].ClusterTag == tag)
            {
                return i;
            }
        }

        return 0;
    }

    /// <summary>Whether a command may be done twice.</summary>
    private bool MayRepeat<TResult>(RavenCommand<TResult> command) =>
        command.IsReadRequest || command.IsRemembered || Sending.RepeatUncertainWrites;

    /// <summary>The index of the server that a new session begins its reads with, if reads are spread.</summary>
    internal int NextStart() => Sending.ReadBalanceBehavior == ReadBalanceBehavior.RoundRobin
        ? _nodes?.NextStart() ?? 0
        : 0;

    /// <summary>The servers; the list is read if that was not done yet.</summary>
    internal ValueTask<NodeList> NodesAsync(CancellationToken cancellationToken) =>
        _nodes is { } nodes ? new(nodes) : new(LoadNodesAsync(cancellationToken));

    /// <summary>
    /// The exception to throw for all failures. If the last server may have executed a write, the exception says so,
    /// even if others were down: the caller must know that the write may have happened.
    /// </summary>
    private static RavenException Combine(List<RequestFailure> failures, bool isRead)
    {
        RequestFailure last = failures[^1];
        if (last.Exception is not AllTopologyNodesDownException
            && (failures.Count == 1 || (last.MayBeDone && !isRead)))
        {
            return last.Exception;
        }

        IEnumerable<string> causes = failures.Select(failure => $"{failure.Node.Url}: {failure.Exception.Message}");
        return new AllTopologyNodesDownException(
            "No server could be reached: " + string.Join("; ", causes), failures[0].Exception.InnerException);
    }

    /// <summary>Reads the list of servers; concurrent callers wait for one request.</summary>
    private async Task<NodeList> LoadNodesAsync(CancellationToken cancellationToken)
    {
        Task<NodeList> loading;
        lock (_lock)
        {
            if (_loading is null || _loading.IsFaulted || _loading.IsCanceled)
            {
                // Without the token of a caller: a caller that cancels must not cancel the wait of the others. The
                // request has its own timeout.
                _loading = ReadNodesAsync(ConfiguredNodes(), CancellationToken.None);
            }

            loading = _loading;
        }

        NodeList nodes = await loading.WaitAsync(cancellationToken).ConfigureAwait(false);
        lock (_lock)
        {
            return _nodes ?? Use(nodes);
        }
    }

    /// <summary>From now on requests go to these servers, and say which list they know.</summary>
    private NodeList Use(NodeList nodes)
    {
        _sender.TopologyEtag = nodes.Topology.Etag;
        return _nodes = nodes;
    }

    /// <summary>The servers that the store was configured with.</summary>
    private ServerNode[] ConfiguredNodes() => [.. _urls.Select(url => new ServerNode(url, Database))];

    /// <summary>Asks servers, one after the other, for the list of servers.</summary>
    private async Task<NodeList> ReadNodesAsync(
        IReadOnlyList<ServerNode> servers, CancellationToken cancellationToken)
    {
        if (Database is null || Sending.DisableTopologyUpdates)
        {
            return new NodeList(new Topology(0, servers), Sending.Clock);
        }

        List<RequestFailure> failures = [];
        foreach (ServerNode node in servers)
        {
            Attempt<Topology> attempt = await _sender.SendAsync(
                new TopologyCommand(Database), node, failures.Count, cancellationToken).ConfigureAwait(false);
            if (attempt.Failure is null)
            {
                Topology topology = attempt.Result ?? new Topology(0, servers);
                _context.OnTopology(topology);
                return new NodeList(topology, Sending.Clock);
            }

            failures.Add(attempt.Failure);
        }

        throw Combine(failures, isRead: true);
    }

    /// <summary>
    /// Reads the list of servers again in the background; if that fails, the old list stays. Servers of the list are
    /// tried first, as those that the store was configured with may no longer exist.
    /// </summary>
    private void RefreshTopology()
    {
        if (Database is null || Sending.DisableTopologyUpdates
            || Interlocked.Exchange(ref _isRefreshing, 1) != 0)
        {
            return;
        }

        _ = RefreshAsync();

        async Task RefreshAsync()
        {
            try
            {
                ServerNode[] known = [.. _nodes?.InOrder(0) ?? []];
                ServerNode[] others = [.. ConfiguredNodes().ExceptBy(known.Select(node => node.Url), node => node.Url)];
                NodeList nodes =
                    await ReadNodesAsync([.. known, .. others], CancellationToken.None).ConfigureAwait(false);
                lock (_lock)
                {
                    if (_nodes is null || nodes.Topology.Etag > _nodes.Topology.Etag)
                    {
                        Use(nodes);
                    }
                }
            }
            catch (Exception e) when (e is RavenException or ObjectDisposedException or OperationCanceledException)
            {
                _context.OnFailure(Database, "/topology", e);
            }
            finally
            {
                Volatile.Write(ref _isRefreshing, 0);
            }
        }
    }
}
