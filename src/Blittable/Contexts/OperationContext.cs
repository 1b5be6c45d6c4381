using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Contexts;

/// <summary>
/// The memory of one operation (a request, a merged transaction, an indexing batch), which is freed in one step, and
/// the parser and writer whose caches of names and shapes outlive the operation. It serves one operation at a time,
/// which may move to another thread over an await. Everything that it returned (slices, documents, values) becomes
/// invalid at <see cref="Reset"/>, which <see cref="OperationContextPool.Return"/> calls.
/// </summary>
public sealed class OperationContext : IDisposable
{
    private const int ParserKeptBytesMax = 1 << 20;

    private JsonToBlittable? _parser;
    private BlittableWriter? _writer;
    private BlittableModifier? _modifier;

    /// <summary>Makes a context outside of any pool.</summary>
    public OperationContext()
    {
    }

    /// <summary>The memory of the operation.</summary>
    public Arena Arena { get; } = new();

    /// <summary>The JSON parser of the context, which writes its documents into <see cref="Arena"/>.</summary>
    public JsonToBlittable Parser => _parser ??= new JsonToBlittable(Arena);

    /// <summary>
    /// The document writer of the context, which writes into <see cref="Arena"/>. The parser has another one.
    /// </summary>
    public BlittableWriter Writer => _writer ??= new BlittableWriter(Arena);

    /// <summary>Makes changed documents from old ones, in <see cref="Arena"/>.</summary>
    public BlittableModifier Modifier => _modifier ??= new BlittableModifier(Arena);

    /// <summary>
    /// True between <see cref="OperationContextPool.Rent"/> and <see cref="OperationContextPool.Return"/>.
    /// </summary>
    internal bool IsRented { get; set; }

    /// <summary>Operations in a row that used little of a large arena.</summary>
    internal int LowUseReturns { get; set; }

    /// <summary>Ends the operation: everything that it took from the context is invalid after this.</summary>
    public void Reset()
    {
        Arena.Reset();
        if (_parser?.KeptBytes > ParserKeptBytesMax)
        {
            // The parser's buffer has grown for a very long text. It is dropped: a pool has many contexts, and each
            // could keep a buffer of that size.
            _parser = null;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Arena.Dispose();
}
