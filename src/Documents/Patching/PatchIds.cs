using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Scripts;

namespace Raven.Documents.Patching;

/// <summary>Completes the ids that scripts leave to the server, as the writer does with those of clients.</summary>
/// <param name="plan">The plan of the batch.</param>
/// <param name="written">What the batch has written so far, by key; identities are in it under a mark.</param>
internal sealed class PatchIds(PatchPlan plan, KeyMap written)
{
    private readonly Dictionary<int, long> _identities = [];
    private long _sequence;

    /// <summary>Begins a run of the plan; what was written is empty.</summary>
    internal void Begin(long lastEtag) => _sequence = lastEtag;

    /// <summary>The id under which a script's document will be stored.</summary>
    internal NativeSlice Complete(string id)
    {
        byte[] prefix = Encoding.UTF8.GetBytes(id);
        IdRequestKind kind = ServerMadeId.KindOf(prefix);
        if (kind == IdRequestKind.Exact
            || prefix.Length + ServerMadeId.CompletionSizeBytesMax > DocumentId.SizeBytesMax)
        {
            return plan.Keep(prefix);
        }

        return kind == IdRequestKind.Identity ? NextIdentity(id, prefix) : NextFree(kind, prefix);
    }

    private NativeSlice NextFree(IdRequestKind kind, byte[] prefix)
    {
        Span<byte> id = stackalloc byte[DocumentId.SizeBytesMax];
        while (true)
        {
            int length = kind == IdRequestKind.Sequence
                ? ServerMadeId.WriteSequence(prefix, ++_sequence, id)
                : ServerMadeId.WriteGuid(Guid.NewGuid(), id);
            if (IsFree(id[..length]))
            {
                return plan.Keep(id[..length]);
            }
        }
    }

    private NativeSlice NextIdentity(string name, byte[] prefix)
    {
        if (!plan.TryKey(name, out _, out NativeSlice key))
        {
            return plan.Keep(prefix);
        }

        NativeSlice mark = plan.Keep([TombstoneKey.Separator, .. key.Span]);
        int known = written.FindOrAdd(mark, out bool isNew);
        long value = isNew ? plan.View.Identity(key.Span) : _identities[known];
        if (isNew)
        {
            plan.Reads.Add(ReadKind.Identity, key, value);
        }

        Span<byte> id = stackalloc byte[DocumentId.SizeBytesMax];
        int length;
        do
        {
            length = ServerMadeId.WriteIdentity(prefix, checked(++value), id);
        }
        while (!IsFree(id[..length]));
        _identities[known] = value;
        plan.AddHidden(plan.Keep(id[..length]), new IdentityAction(key, value));
        return plan.Keep(id[..length]);
    }

    private bool IsFree(ReadOnlySpan<byte> id)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        return !DocumentId.TryFold(id, key, out int length, out _) || !plan.Read(plan.Keep(key[..length])).Exists;
    }
}
