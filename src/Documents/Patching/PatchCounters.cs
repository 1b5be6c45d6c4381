using System.Text;
using Raven.Blittable.Memory;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Scripts;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Patching;

/// <summary>The counters of the scripts of a batch: stored, and changed by the batch so far.</summary>
internal sealed class PatchCounters
{
    private readonly PatchPlan _plan;
    private readonly KeyMap _changed;
    private readonly List<Seen> _seen = [];

    internal PatchCounters(PatchPlan plan, ulong hashSeed)
    {
        _plan = plan;
        _changed = new KeyMap(hashSeed);
    }

    /// <summary>Drops the changes of the batch.</summary>
    internal void Clear()
    {
        _changed.Clear();
        _seen.Clear();
    }

    /// <summary>The value of a counter; false if there is none.</summary>
    internal bool TryRead(string documentId, string name, out long value)
    {
        long? found = TryKey(documentId, name, out _, out _, out NativeSlice key) ? Read(key) : null;
        value = found ?? 0;
        return found is not null;
    }

    /// <summary>Adds to a counter.</summary>
    internal void Increment(string documentId, string name, long delta)
    {
        NativeSlice key = Change(documentId, name, CounterOperationKind.Increment, delta);
        Add(key, delta);
    }

    /// <summary>Removes a counter.</summary>
    internal void Delete(string documentId, string name)
    {
        NativeSlice key = Change(documentId, name, CounterOperationKind.Delete, 0);
        Set(key, null);
    }

    /// <summary>Adds the changes of an earlier command of the batch.</summary>
    internal void Note(CountersAction action)
    {
        foreach (ref readonly CounterOperation change in action.Operations)
        {
            switch (change.Kind)
            {
                case CounterOperationKind.Increment:
                    Add(change.Key, change.Delta);
                    break;
                case CounterOperationKind.Put:
                    Set(change.Key, change.Delta);
                    break;
                case CounterOperationKind.Delete:
                    Set(change.Key, null);
                    break;
            }
        }
    }

    /// <summary>Adding needs no value, so that it is no read: increments of scripts do not conflict.</summary>
    private NativeSlice Change(string documentId, string name, CounterOperationKind kind, long delta)
    {
        if (!TryKey(documentId, name, out NativeSlice id, out NativeSlice documentKey, out NativeSlice key))
        {
            throw new ScriptHostException($"'{name}' cannot be a counter of '{documentId}'");
        }

        var action = new CountersAction(_plan.Context.Arena);
        var operation = new CounterOperation
        {
            Kind = kind,
            Name = _plan.Keep(Encoding.UTF8.GetBytes(name)),
            Delta = delta,
        };
        if (!action.TryAdd(documentKey.Span, operation, out DocumentIdError error))
        {
            throw new ScriptHostException(error.Describe());
        }

        _plan.AddHidden(id, action);
        return key;
    }

    private long? Read(NativeSlice key)
    {
        int known = _changed.Find(key.Span);
        if (known >= 0 && _seen[known].IsKnown)
        {
            return _seen[known].Value;
        }

        bool isThere = _plan.View.TryFindCounter(key.Span, out StoredCounter counter);
        _plan.Reads.Add(ReadKind.Counter, key, isThere ? counter.Etag : 0);
        long? value = isThere ? counter.Value : null;
        if (known >= 0)
        {
            value = (value ?? 0) + _seen[known].Delta;
        }

        Set(key, value);
        return value;
    }

    private void Add(NativeSlice key, long delta)
    {
        int index = IndexOf(key);
        Seen seen = _seen[index];
        _seen[index] = seen.IsKnown
            ? seen with { Value = (seen.Value ?? 0) + delta }
            : seen with { Delta = seen.Delta + delta };
    }

    private void Set(NativeSlice key, long? value) => _seen[IndexOf(key)] = new Seen(IsKnown: true, value, 0);

    private int IndexOf(NativeSlice key)
    {
        int index = _changed.FindOrAdd(key, out bool isNew);
        if (isNew)
        {
            _seen.Add(default);
        }

        return index;
    }

    private bool TryKey(
        string documentId, string name, out NativeSlice id, out NativeSlice documentKey, out NativeSlice key)
    {
        key = default;
        return _plan.TryKey(documentId, out id, out documentKey)
            && CounterKey.TryCreate(
                _plan.Context.Arena, documentKey.Span, Encoding.UTF8.GetBytes(name), out key, out _);
    }

    /// <summary>A value, or the sum that was added to one that was not read yet.</summary>
    private readonly record struct Seen(bool IsKnown, long? Value, long Delta);
}
