using Raven.Client.Documents.Conventions;
using Raven.Client.Exceptions;

namespace Raven.Client.Http;

/// <summary>
/// Sends commands to the servers of one database, or to the server itself: finds them out at the first command, waits
/// at most the request timeout, and goes on to the next server where one cannot be reached. Safe for all threads.
/// </summary>
/// <remarks>
/// A write goes to another server only where the first surely did not do it: it refused the connection, or said that it
/// cannot serve. A read goes on where there is no answer, a broken one, or one that is not a server's of this kind.
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

    /// <summary>The database; null where commands go to the server itself.</summary>
    public string? Database { get; }

    /// <summary>The conventions of the store.</summary>
    public DocumentConventions Conventions => _context.Conventions;

    /// <summary>The servers, once the first command was sent; null until then.</summary>
    public Topology? Topology => _nodes?.Topology;

    internal ExecutorContext Context => _context;

    /// <summary>Sends a command and reads its answer.</summary>
    /// <param name="command">What to send.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>What the answer holds; null where what was asked for is not there.</returns>
    /// <exception cref="RavenException">The server refused, or a derived type: none could be reached, no answer in
    /// time, the connection broke.</exception>
    public Task<TResult?> ExecuteAsync<TResult>(
        RavenCommand<TResult> command, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        return ExecuteAsync(command, start: 0, cancellationToken);
    }

    /// <summary>Sends a command and waits for its answer, blocking the thread.</summary>
    public TResult? Execute<TResult>(RavenCommand<TResult> command) =>
        ExecuteAsync(command).GetAwaiter().GetResult();

    /// <summary>Sends a command, beginning with the server at a place of the list.</summary>
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
            if (!command.CanResend || (failure.MayBeDone && !command.IsReadRequest))
            {
                break;
            }
        }

        throw Combine(failures!, command.IsReadRequest);
    }

    /// <summary>Where a session that spreads its reads begins.</summary>
    internal int NextStart() => Conventions.ReadBalanceBehavior == ReadBalanceBehavior.RoundRobin
        ? _nodes?.NextStart() ?? 0
        : 0;

    /// <summary>The servers, which are asked for where nobody has yet.</summary>
    internal ValueTask<NodeList> NodesAsync(CancellationToken cancellationToken) =>
        _nodes is { } nodes ? new(nodes) : new(LoadNodesAsync(cancellationToken));

    /// <summary>What to throw. Where the last server may have done a write, that is told, whoever else was down: nobody
    /// may take it for one that was not sent.</summary>
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

    /// <summary>The servers; all who ask at the same time wait for one request.</summary>
    private async Task<NodeList> LoadNodesAsync(CancellationToken cancellationToken)
    {
        Task<NodeList> loading;
        lock (_lock)
        {
            if (_loading is null || _loading.IsFaulted || _loading.IsCanceled)
            {
                // Nobody's token: one that gives up must not take the others along. The request has its own timeout.
                _loading = ReadNodesAsync(Told(), CancellationToken.None);
            }

            loading = _loading;
        }

        return _nodes ??= await loading.WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>The servers that the store was told of.</summary>
    private ServerNode[] Told() => [.. _urls.Select(url => new ServerNode(url, Database))];

    /// <summary>Asks servers, one after the other, which there are.</summary>
    private async Task<NodeList> ReadNodesAsync(
        IReadOnlyList<ServerNode> servers, CancellationToken cancellationToken)
    {
        if (Database is null || Conventions.DisableTopologyUpdates)
        {
            return new NodeList(new Topology(0, servers), Conventions.Clock);
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
                return new NodeList(topology, Conventions.Clock);
            }

            failures.Add(attempt.Failure);
        }

        throw Combine(failures, isRead: true);
    }

    /// <summary>Reads the list of servers anew in the background; where that fails, the old one stays. Those of the
    /// list are asked first: the ones that the store was told of may be gone for good.</summary>
    private void RefreshTopology()
    {
        if (Database is null || Conventions.DisableTopologyUpdates
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
                ServerNode[] others = [.. Told().ExceptBy(known.Select(node => node.Url), node => node.Url)];
                NodeList nodes =
                    await ReadNodesAsync([.. known, .. others], CancellationToken.None).ConfigureAwait(false);
                if (_nodes is null || nodes.Topology.Etag > _nodes.Topology.Etag)
                {
                    _nodes = nodes;
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
