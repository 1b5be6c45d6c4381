using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Static;
using Raven.Documents.Indexing.Static.Compilation;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>A reduce that was compiled from C#.</summary>
internal sealed class CompiledReducer : GroupReducer
{
    private readonly CodeAssembly _assembly;
    private readonly CompiledReduce _code;
    private readonly MapOutput _output = new();
    private readonly string[] _fields;

    /// <summary>Takes a compiled reduce.</summary>
    /// <param name="assembly">Its code, which is disposed with the reducer.</param>
    /// <param name="code">The reduce.</param>
    internal CompiledReducer(CodeAssembly assembly, CompiledReduce code)
    {
        _assembly = assembly;
        _code = code;
        _fields = code.Fields;
    }

    /// <inheritdoc/>
    internal override IReadOnlyList<string> Fields => _fields;

    /// <inheritdoc/>
    internal override bool HasDurations => true;

    internal override DynamicValue KeyOf(BlittableObject item, OperationContext context) =>
        _code.KeyOf(DynamicValue.Of(item.AsValue()));

    internal override void Reduce(IReadOnlyList<BlittableObject> items, ReduceSink results)
    {
        DynamicValue[] values = new DynamicValue[items.Count];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = DynamicValue.Of(items[i].AsValue());
        }

        _output.Begin(results, _fields);
        _code.Run(DynamicValue.Of(new DynamicGroup(_code.KeyOf(values[0]), values)), _output);
    }

    protected override void Dispose(bool isDisposing)
    {
        if (isDisposing)
        {
            _assembly.Dispose();
        }

        base.Dispose(isDisposing);
    }
}
