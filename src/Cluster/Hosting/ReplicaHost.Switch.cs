using System.Buffers.Binary;
using System.Security.Cryptography;
using Raven.Cluster.Replication;

namespace Raven.Cluster.Hosting;

/// <content>Another primary because a person wants it: a planned switch, or a promotion that accepts a loss.</content>
public sealed partial class ReplicaHost
{
    /// <summary>How long before the gate is shut nothing new is let in: a refusal would reach the client.</summary>
    private static readonly TimeSpan LetIn = TimeSpan.FromMilliseconds(20);

    private PrimarySwitch? _switch;
    private PrimarySwitch? _promotion;

    /// <summary>
    /// Makes another node the primary: no write is let in any more, the last commit is awaited, and the other one takes
    /// over at once. If it does not in time this one takes writes again.
    /// </summary>
    /// <param name="tag">The node, which is in sync.</param>
    /// <param name="stop">Ends the wait, with an <see cref="OperationCanceledException"/>, and not the switch.</param>
    public Task<SwitchStatus> HandOverAsync(string tag, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(tag);
        return HandOverAsync(new PrimarySwitch(_numbers.Of(tag)), stop);
    }

    /// <summary>The same as this node ends, when others may end at the same time.</summary>
    internal Task<SwitchStatus> HandOverAtEndAsync(string tag, CancellationToken stop) =>
        HandOverAsync(new PrimarySwitch(_numbers.Of(tag)) { IsAtEnd = true }, stop);

    /// <summary>
    /// Makes this node the primary of a new history, with what it has: what only others have is lost. Only a person
    /// asks for it.
    /// </summary>
    /// <param name="stop">Ends the attempt.</param>
    public Task<SwitchStatus> PromoteUncleanAsync(CancellationToken stop)
    {
        var wanted = new PrimarySwitch(_self);
        Span<byte> lineage = stackalloc byte[sizeof(ulong)];
        RandomNumberGenerator.Fill(lineage);
        ulong chosen = Math.Max(1, BinaryPrimitives.ReadUInt64LittleEndian(lineage));
        wanted.Lineage = chosen;
        Call(_ =>
        {
            if (_isEnded || _promotion is not null)
            {
                wanted.End(SwitchStatus.NotPrimary);
                return;
            }

            _promotion = wanted;
        });
        return AwaitPromotionAsync(wanted, stop);
    }

    private Task<SwitchStatus> HandOverAsync(PrimarySwitch wanted, CancellationToken stop)
    {
        Call(_ => BeginSwitch(wanted));
        return wanted.Task.WaitAsync(stop);
    }

    private async Task<SwitchStatus> AwaitPromotionAsync(PrimarySwitch wanted, CancellationToken stop)
    {
        using CancellationTokenRegistration ended = stop.UnsafeRegister(
            _ => Call(_ =>
            {
                // What the store was asked for may still come; nothing more is asked.
                _promotion = _promotion == wanted ? null : _promotion;
                wanted.End(SwitchStatus.TimedOut);
            }),
            null);
        return await wanted.Task.ConfigureAwait(false);
    }

    private void BeginSwitch(PrimarySwitch wanted)
    {
        if (_isEnded || _core.Role != ReplicaRole.Leading || _switch is not null || _isClosing)
        {
            wanted.End(SwitchStatus.NotPrimary);
        }
        else if (wanted.Node < 0 || !_core.Group!.InSync.Contains(wanted.Node))
        {
            wanted.End(SwitchStatus.NotInSync);
        }
        else if (wanted.Node == _self)
        {
            wanted.End(SwitchStatus.Done);
        }
        else
        {
            wanted.Epoch = _core.Epoch;
            _switch = wanted;
            _ = DrainAndSwitchAsync(wanted);
        }
    }

    private async Task DrainAndSwitchAsync(PrimarySwitch wanted)
    {
        // New requests are held or sent elsewhere from now on; those that were let in before are written.
        await Task.Delay(LetIn, Options.Clock).ConfigureAwait(false);
        if (Volatile.Read(ref _switch) != wanted)
        {
            // It came to nothing meanwhile, and the gate is to stay as it is.
            return;
        }

        using var limit = new CancellationTokenSource(Options.Replication.HandoverMax, Options.Clock);
        bool isDrained = await DrainFilesAsync(limit.Token).ConfigureAwait(false);
        Call(now =>
        {
            if (_switch != wanted)
            {
                return;
            }

            if (!isDrained || !_core.TryHandOver(now, wanted.Node))
            {
                EndSwitch(isDrained ? SwitchStatus.NotInSync : SwitchStatus.TimedOut);
                return;
            }

            wanted.IsAsked = true;
        });
    }

    private void LookAtSwitch(TimeSpan now)
    {
        if (_switch is { } wanted && _core.Group!.Epoch > wanted.Epoch && _core.Role != ReplicaRole.Leading)
        {
            EndSwitch(_core.Group.Primary == wanted.Node ? SwitchStatus.Done : SwitchStatus.NotPrimary);
        }
        else if (_switch is { IsAsked: true } && _core.Role == ReplicaRole.Leading && !_core.IsHandingOver)
        {
            EndSwitch(SwitchStatus.TimedOut);
        }
        else if (_switch is { IsAtEnd: true } atEnd && (atEnd.IsAsked
            ? _core.IsHandOverLost(now)
            : !_core.PeerOf(atEnd.Node).IsInSession))
        {
            _core.EndHandOver();
            EndSwitch(SwitchStatus.NotInSync);
        }

        if (_promotion is { } promotion)
        {
            LookAtPromotion(promotion, now);
        }
    }

    private void LookAtPromotion(PrimarySwitch promotion, TimeSpan now)
    {
        if (!promotion.IsAsked)
        {
            if (_core is { Role: ReplicaRole.Leading, CanCommit: true })
            {
                // It needs no other history.
                _promotion = null;
                promotion.End(SwitchStatus.NotPrimary);
                return;
            }

            if (_core.IsPrimary)
            {
                // It is primary in the usual way, and waits for nodes that do not come.
                _core.GiveUp(now);
                Act(now);
            }

            if (!_isClosing && _core.TryPromote(now, promotion.Lineage))
            {
                promotion.IsAsked = true;
                promotion.Epoch = _core.Group!.Epoch;
                Act(now);
            }
        }
        else if (_core.Group!.Epoch > promotion.Epoch)
        {
            _promotion = null;
            promotion.End(
                _core.Group.Lineage == promotion.Lineage && _core.Group.Primary == _self
                    ? SwitchStatus.Done
                    : SwitchStatus.NotPrimary);
        }
    }

    private void EndSwitch(SwitchStatus status)
    {
        PrimarySwitch? wanted = _switch;
        _switch = null;
        if (wanted is not null && !_isEnded && _core.Role == ReplicaRole.Leading)
        {
            _files.Lead(_core.Epoch);
        }

        wanted?.End(status);
        if (_isEnded)
        {
            _promotion?.End(SwitchStatus.NotPrimary);
        }
    }
}
