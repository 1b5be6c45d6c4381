using System.Collections.Concurrent;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <content>Connections: frames of the log, and copies of pages, each by a connection of its own.</content>
public sealed partial class ReplicaHost
{
    private static readonly TimeSpan DialPauseMax = TimeSpan.FromSeconds(1);

    /// <summary>How long a copy of pages may bring nothing.</summary>
    private static readonly TimeSpan CopySilenceMax = TimeSpan.FromSeconds(30);

    private readonly Dictionary<long, ReplicaLink> _links = [];
    private readonly List<ReplicaLink> _unflushed = [];

    /// <summary>Records that have come and are not applied yet.</summary>
    private readonly Dictionary<long, (ReadOnlyMemory<byte> Record, ReplicaLink Link)> _incoming = [];

    /// <summary>Who may take which pages.</summary>
    private readonly ConcurrentDictionary<int, (long Since, ulong Lineage, long Epoch)> _grants = new();
    private CancellationTokenSource _sending = new();
    private long _linkLast;

    /// <summary>The connection to the primary that was made last.</summary>
    private long _linkDialed;
    private bool _isDialing;

    /// <summary>Why the last attempt to connect has failed.</summary>
    private string? _refusal;
    private int _dialedNode = -1;
    private TimeSpan _dialPause;
    private TimeSpan _dialAt;

    /// <summary>A node has connected, and is who it says it is.</summary>
    internal async Task AcceptAsync(string tag, Stream stream, CancellationToken stop)
    {
        int node = _numbers.Of(tag);
        if (_isEnded || node < 0)
        {
            return;
        }

        var link = new ReplicaLink(Interlocked.Increment(ref _linkLast), node, isDialed: false, stream, this);
        HostLog.Accepted(Log, Database, tag);
        Post(new HostEvent(HostEventKind.Accepted) { Number = link.Id, Node = node, Object = link });
        await link.RunAsync(stop).ConfigureAwait(false);
    }

    /// <summary>Sends the pages that the core has granted to a node.</summary>
    /// <returns>Why not; null if they were sent.</returns>
    internal string? TryGrant(string tag, long since, out ulong lineage, out long epoch)
    {
        bool isGranted = _grants.TryRemove(_numbers.Of(tag), out (long Since, ulong Lineage, long Epoch) grant);
        (lineage, epoch) = (grant.Lineage, grant.Epoch);
        return isGranted && grant.Since == since
            ? null
            : $"node {Options.Tag} has not told node {tag} to copy '{Database}' from transaction {since} on";
    }

    /// <summary>Sends granted pages.</summary>
    internal async Task SendPagesAsync(
        string tag, Stream stream, long since, ulong lineage, long epoch, CancellationToken stop)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(
                stop, Volatile.Read(ref _sending).Token, _stop.Token);
            using var pages = new PagesWriter(stream, lineage, epoch);
            await _files.SendPagesAsync(since, pages, either.Token).ConfigureAwait(false);
            await pages.EndAsync(either.Token).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            // The other end sees that its end is missing, and asks again.
            HostLog.CopyFailed(Log, failure, Database, tag);
        }
    }

    private void HandleLink(in HostEvent happened, TimeSpan now)
    {
        switch (happened.Kind)
        {
            case HostEventKind.Connected:
                _isDialing = false;
                Volatile.Write(ref _refusal, happened.Object as string);
                if (happened.Object is ReplicaLink dialed)
                {
                    _dialPause = default;
                    _incoming.Clear();
                    _links[dialed.Id] = dialed;
                    _linkDialed = dialed.Id;
                    _core.Connected(now, dialed.Node, dialed.Id);
                }

                break;
            case HostEventKind.Accepted:
                Accept((ReplicaLink)happened.Object!, now);
                break;
            case HostEventKind.Disconnected:
                Unlink(happened.Number);
                _core.Disconnected(now, happened.Number);
                break;
            case HostEventKind.Received:
                Receive(happened, now);
                break;
        }
    }

    private void Accept(ReplicaLink link, TimeSpan now)
    {
        // A node that connects again knows that the connection before is of no use.
        List<long> old = [];
        foreach (ReplicaLink each in _links.Values)
        {
            if (each.Node == link.Node && !each.IsDialed)
            {
                old.Add(each.Id);
            }
        }

        foreach (long id in old)
        {
            Unlink(id);
            _core.Disconnected(now, id);
        }

        _links[link.Id] = link;
    }

    private void Receive(in HostEvent happened, TimeSpan now)
    {
        var link = (ReplicaLink)happened.Object!;
        bool isRecord = happened.Message.Kind == ReplicaMessageKind.Record;
        if (!_links.ContainsKey(happened.Number) || (isRecord && !link.IsDialed))
        {
            link.Applied(happened.Body.Length);
            return;
        }

        if (isRecord)
        {
            _incoming[happened.Message.Point.TransactionId] = (happened.Body, link);
        }

        _core.Receive(now, happened.Node, happened.Number, happened.Message);
    }

    private void Unlink(long id)
    {
        if (_links.Remove(id, out ReplicaLink? link))
        {
            link.Dispose();
            if (id == _linkDialed)
            {
                _incoming.Clear();
            }
        }
    }

    private void Send(long id, in ReplicaMessage message, ReadOnlyMemory<byte> body)
    {
        if (!_links.TryGetValue(id, out ReplicaLink? link))
        {
            return;
        }

        if (message.Kind == ReplicaMessageKind.Commit)
        {
            // HOST-4
            link.HeldCommit = message;
            return;
        }

        if (message.Kind != ReplicaMessageKind.Record)
        {
            SendHeldCommit(link);
        }
        else if (link.HeldCommit is { } commit && message.Point.TransactionId > commit.Point.TransactionId)
        {
            // A node that is behind gets records that say less.
            link.HeldCommit = null;
        }

        SendNow(link, message, body);
    }

    /// <summary>HOST-4: says what nothing else has said since.</summary>
    private void SendHeldCommits()
    {
        foreach (ReplicaLink link in _links.Values)
        {
            SendHeldCommit(link);
        }
    }

    private void SendHeldCommit(ReplicaLink link)
    {
        if (link.HeldCommit is { } commit)
        {
            link.HeldCommit = null;
            SendNow(link, commit, default);
        }
    }

    private void SendNow(ReplicaLink link, in ReplicaMessage message, ReadOnlyMemory<byte> body)
    {
        if (!link.Enqueue(message, body))
        {
            // It does not read what it is sent: its reader tells the core that it is over.
            link.Dispose();
            return;
        }

        if (!_unflushed.Contains(link))
        {
            _unflushed.Add(link);
        }
    }

    private void FlushLinks()
    {
        foreach (ReplicaLink link in _unflushed)
        {
            link.Flush();
        }

        _unflushed.Clear();
    }

    private void Dial(int node, TimeSpan now)
    {
        if (_dialedNode != node)
        {
            _dialedNode = node;
            _dialAt = default;
            _dialPause = default;
        }

        if (_isDialing || now < _dialAt)
        {
            return;
        }

        // The next one comes later, if this one fails.
        _isDialing = true;
        _dialPause = _dialPause == default ? Options.Replication.RetryAfter : 2 * _dialPause;
        _dialPause = _dialPause < DialPauseMax ? _dialPause : DialPauseMax;
        _dialAt = now + _dialPause;
        _ = DialAsync(node, TagOf(node));
    }

    private async Task DialAsync(int node, string tag)
    {
        (Stream? stream, string? problem) =
            await _node.DialAsync(tag, Database, ReplicaPurpose.Log, 0, _stop.Token).ConfigureAwait(false);
        if (stream is null)
        {
            if (problem != Volatile.Read(ref _refusal))
            {
                HostLog.Refused(Log, Database, tag, problem!);
            }

            Post(new HostEvent(HostEventKind.Connected) { Node = node, Object = problem });
            return;
        }

        var link = new ReplicaLink(Interlocked.Increment(ref _linkLast), node, isDialed: true, stream, this);
        Post(new HostEvent(HostEventKind.Connected) { Node = node, Object = link });
        await link.RunAsync(CancellationToken.None).ConfigureAwait(false);
    }

    private void GrantPages(in ReplicaAction action)
    {
        if (_links.TryGetValue(action.Link, out ReplicaLink? link))
        {
            _grants[link.Node] = (action.TransactionId, _core.Group!.Lineage, _core.Epoch);
        }
    }

    private void EndPages()
    {
        _grants.Clear();
        Interlocked.Exchange(ref _sending, new CancellationTokenSource()).Cancel();
    }

    /// <summary>Takes pages from the primary; what there is then is what the scan says.</summary>
    private async Task<ReplicaStart> CopyAsync(HostJob job)
    {
        HostLog.Copies(Log, Database, job.Tag!, job.TransactionId);
        Volatile.Write(ref _copiedBytes, 0);
        try
        {
            (Stream? stream, string? problem) = await _node.DialAsync(
                job.Tag!, Database, ReplicaPurpose.Pages, job.TransactionId, _stop.Token).ConfigureAwait(false);
            if (stream is null)
            {
                throw new IOException(problem);
            }

            await using (stream.ConfigureAwait(false))
            {
                using var silence = new CancellationTokenSource(CopySilenceMax, Options.Clock);
                using var either = CancellationTokenSource.CreateLinkedTokenSource(silence.Token, _stop.Token);
                using var pages = new PagesReader(stream, job.Lineage, bytes =>
                {
                    silence.CancelAfter(CopySilenceMax);
                    Interlocked.Add(ref _copiedBytes, bytes);
                });
                ReplicaStart start = await _files.TakePagesAsync(
                    job.TransactionId, job.Flag, pages, either.Token).ConfigureAwait(false);
                HostLog.Copied(Log, Database, job.Tag!, CopiedBytes);
                return start;
            }
        }
        catch (Exception failure)
        {
            HostLog.CopyFailed(Log, failure, Database, job.Tag!);
            _files.Close();
            return _files.Scan();
        }
    }
}
