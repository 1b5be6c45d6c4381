using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Patching;

/// <summary>The functions for the script of a patch: everything that a batch may do, as part of its batch.</summary>
internal sealed class PatchHost : ScriptHost
{
    private readonly PatchPlan _plan;
    private readonly PatchDebug? _debug;

    internal PatchHost(PatchPlan plan, PatchDebug? debug)
    {
        _plan = plan;
        _debug = debug;
    }

    /// <inheritdoc/>
    public override OperationContext Context => _plan.Context;

    /// <inheritdoc/>
    public override bool TryLoad(string id, out ScriptDocument document)
    {
        _debug?.AddAction("LoadDocument", id);
        PlannedDocument found = _plan.TryKey(id, out _, out NativeSlice key) ? _plan.Read(key) : default;
        document = found.Exists ? PatchPlan.ToScript(in found) : null!;
        return found.Exists;
    }

    /// <inheritdoc/>
    public override string Put(string id, BlittableObject document, string? changeVector)
    {
        NativeSlice utf8 = _plan.CompleteId(id);
        ExpectedVersion expected =
            changeVector is null ? ExpectedVersion.Any : ExpectedVersion.Of(Encoding.UTF8.GetBytes(changeVector));
        if (!_plan.TryPut(utf8, document, expected, out CommandFailure failure))
        {
            throw new ScriptHostException(failure.Describe());
        }

        string stored = Encoding.UTF8.GetString(utf8.Span);
        _debug?.AddAction("PutDocument", stored, document);
        return stored;
    }

    /// <inheritdoc/>
    public override bool Delete(string id, string? changeVector)
    {
        _debug?.AddAction("DeleteDocument", id);
        if (!_plan.TryKey(id, out NativeSlice utf8, out NativeSlice key))
        {
            return false;
        }

        bool exists = _plan.Read(key).Exists;
        ExpectedVersion expected =
            changeVector is null ? ExpectedVersion.Any : ExpectedVersion.Of(Encoding.UTF8.GetBytes(changeVector));
        return _plan.TryDelete(utf8, expected, out CommandFailure failure)
            ? exists
            : throw new ScriptHostException(failure.Describe());
    }

    /// <inheritdoc/>
    public override bool TryGetCompareExchange(string key, out BlittableValue value)
    {
        _debug?.AddAction("GetCompareExchangeValue", key);
        return _plan.TryReadCompareExchange(key, out value);
    }

    /// <inheritdoc/>
    public override void Include(string id) => _debug?.AddAction("Include", id);

    /// <inheritdoc/>
    public override void Output(string text) => _debug?.AddOutput(text);

    /// <inheritdoc/>
    public override bool TryGetCounter(string documentId, string name, out long value)
    {
        _debug?.AddAction("GetCounter", $"{documentId}: {name}");
        return _plan.Counters.TryRead(documentId, name, out value);
    }

    /// <inheritdoc/>
    public override void IncrementCounter(string documentId, string name, double delta)
    {
        _debug?.AddAction("IncrementCounter", $"{documentId}: {name}");
        if (delta != Math.Truncate(delta) || Math.Abs(delta) > 1L << 53)
        {
            throw new ScriptHostException("A counter is incremented by whole numbers");
        }

        _plan.Counters.Increment(documentId, name, (long)delta);
    }

    /// <inheritdoc/>
    public override void DeleteCounter(string documentId, string name)
    {
        _debug?.AddAction("DeleteCounter", $"{documentId}: {name}");
        _plan.Counters.Delete(documentId, name);
    }

    /// <inheritdoc/>
    public override void AppendTimeSeries(
        string documentId, string name, DateTimeOffset time, ReadOnlySpan<double> values, string? tag)
    {
        _debug?.AddAction("AppendTimeSeries", $"{documentId}: {name}");
        _plan.TimeSeries.Append(documentId, name, time, values, tag);
    }

    /// <inheritdoc/>
    public override void IncrementTimeSeries(
        string documentId, string name, DateTimeOffset? time, ReadOnlySpan<double> values)
    {
        _debug?.AddAction("IncrementTimeSeries", $"{documentId}: {name}");
        _plan.TimeSeries.Increment(documentId, name, time, values);
    }

    /// <inheritdoc/>
    public override void DeleteTimeSeries(
        string documentId, string name, DateTimeOffset from, DateTimeOffset to)
    {
        _debug?.AddAction("DeleteTimeSeries", $"{documentId}: {name}");
        _plan.TimeSeries.Delete(documentId, name, from, to);
    }

    /// <inheritdoc/>
    public override IEnumerable<ScriptTimeSeriesEntry> GetTimeSeries(
        string documentId, string name, DateTimeOffset from, DateTimeOffset to)
    {
        _debug?.AddAction("GetTimeSeries", $"{documentId}: {name}");
        return _plan.TimeSeries.Read(documentId, name, from, to);
    }
}
