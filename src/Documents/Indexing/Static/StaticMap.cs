using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static.Compilation;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Static;

/// <summary>A map that was compiled from its text.</summary>
internal sealed class StaticMap : DocumentMap
{
    private static readonly string[] CounterMembers = ["DocumentId", "Name", "Value"];

    private static readonly string[] SegmentMembers =
        ["DocumentId", "Name", "Min", "Max", "Sum", "Count", "Start", "End", "Entries"];

    private static readonly string[] EntryMembers = ["Timestamp", "Tag", "Values", "Value"];

    private readonly CodeAssembly _assembly;
    private readonly CompiledMap _code;
    private readonly MappedDocument _document = new();
    private readonly MapOutput _output = new();
    private readonly string[] _fields;

    /// <summary>Takes a compiled map.</summary>
    /// <param name="assembly">Its code, which is disposed with the map.</param>
    /// <param name="code">The map.</param>
    internal StaticMap(CodeAssembly assembly, CompiledMap code)
        : base(code.Collections)
    {
        _assembly = assembly;
        _code = code;
        _fields = code.Fields;
    }

    /// <summary>The class that the text was compiled to.</summary>
    internal Type CodeType => _code.GetType();

    /// <inheritdoc/>
    internal override IReadOnlyList<string> Fields => _fields;

    /// <inheritdoc/>
    internal override bool ReadsCounters => _code.IsOfCounters;

    /// <inheritdoc/>
    internal override bool ReadsTimeSeries => _code.IsOfTimeSeries;

    internal override void Run(in StoredDocument document, MapSink sink)
    {
        DynamicValue input = _document.Open(in document);
        _code.Begin(document.Snapshot, sink);
        _output.Begin(sink, _fields);
        try
        {
            if (_code.IsOfCounters)
            {
                RunCounters(in document);
            }
            else if (_code.IsOfTimeSeries)
            {
                RunTimeSeries(in document);
            }
            else
            {
                _code.Run(input, _output);
            }
        }
        finally
        {
            _code.End();
        }
    }

    private void RunCounters(in StoredDocument document)
    {
        foreach (CounterInfo counter in LinkedValues.Counters(in document))
        {
            if (_code.Counter is not { } wanted || wanted.Equals(counter.Name, StringComparison.OrdinalIgnoreCase))
            {
                DynamicRecord record = new(
                    CounterMembers, DynamicValue.Of(counter.DocumentId), DynamicValue.Of(counter.Name),
                    DynamicValue.Of(counter.Value));
                _code.Run(DynamicValue.Of(record), _output);
            }
        }
    }

    private void RunTimeSeries(in StoredDocument document)
    {
        foreach (SegmentInfo segment in SegmentInfo.Of(document))
        {
            if (_code.Counter is { } wanted && !wanted.Equals(segment.Name, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            (double[] min, double[] max, double[] sum) = segment.Summarize();
            int count = segment.Points.Count;
            var entries = new DynamicValue[count];
            for (int i = 0; i < count; i++)
            {
                double[] values = segment.Points.ValuesAt(i).ToArray();
                entries[i] = DynamicValue.Of(new DynamicRecord(
                    EntryMembers, DynamicValue.Of(segment.TimeAt(i)), DynamicValue.Of(segment.TagAt(i)), ListOf(values),
                    DynamicValue.Of(values[0])));
            }

            _code.Run(
                DynamicValue.Of(new DynamicRecord(
                    SegmentMembers, DynamicValue.Of(segment.DocumentId), DynamicValue.Of(segment.Name), ListOf(min),
                    ListOf(max), ListOf(sum), DynamicValue.Of((long)count), DynamicValue.Of(segment.TimeAt(0)),
                    DynamicValue.Of(segment.TimeAt(count - 1)), DynamicValue.List(entries))),
                _output);
        }
    }

    private static DynamicValue ListOf(double[] values) =>
        DynamicValue.List(Array.ConvertAll(values, value => DynamicValue.Of(value)));

    protected override void Dispose(bool isDisposing)
    {
        if (isDisposing)
        {
            _assembly.Dispose();
        }

        base.Dispose(isDisposing);
    }
}
