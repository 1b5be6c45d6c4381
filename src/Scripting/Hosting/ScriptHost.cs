using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;

namespace Raven.Scripting.Hosting;

/// <summary>
/// The operations of a script on its database. Override those that are allowed: the others throw an error that they are
/// not available here. Called on the thread of the run; documents that are passed must stay valid until it ends. A
/// <see cref="ScriptHostException"/> thrown by an override becomes an error that the script may catch.
/// </summary>
public abstract class ScriptHost
{
    /// <summary>The memory for documents that the script passes to the host; must outlive the run.</summary>
    public abstract OperationContext Context { get; }

    /// <summary>The script looks at a long text of a document, which becomes a string for it. False ends the run with
    /// <see cref="ScriptFailure.Texts"/>: it may be run again later.</summary>
    /// <param name="bytes">What the string takes at most.</param>
    public virtual bool TryTakeText(long bytes) => true;

    /// <summary>load(id). False: null in the script.</summary>
    public virtual bool TryLoad(string id, out ScriptDocument document) => throw NotAvailable("load");

    /// <summary>put(id, document[, change vector]). Returns the id under which it is stored.</summary>
    /// <param name="id">The id, which may end in a slash or a bar, to be completed.</param>
    /// <param name="document">The document, in <see cref="Context"/>.</param>
    /// <param name="changeVector">The version that the stored one must have; null for any.</param>
    public virtual string Put(string id, BlittableObject document, string? changeVector) => throw NotAvailable("put");

    /// <summary>del(id[, change vector]). True if there was one.</summary>
    public virtual bool Delete(string id, string? changeVector) => throw NotAvailable("del");

    /// <summary>cmpxchg(key). False: null in the script.</summary>
    public virtual bool TryGetCompareExchange(string key, out BlittableValue value) => throw NotAvailable("cmpxchg");

    /// <summary>include(id): the document is sent with the answer.</summary>
    public virtual void Include(string id) => throw NotAvailable("include");

    /// <summary>includes.cmpxchg(key): the compare-exchange value is sent with the answer.</summary>
    public virtual void IncludeCompareExchange(string key) => throw NotAvailable("includes.cmpxchg");

    /// <summary>output(text), for debugging scripts.</summary>
    public virtual void Output(string text) => throw NotAvailable("output");

    /// <summary>counter(document, name). False: null in the script.</summary>
    public virtual bool TryGetCounter(string documentId, string name, out long value) => throw NotAvailable("counter");

    /// <summary>
    /// counterRaw(document, name): the part of a node, given with the id of its database. False: null in the script.
    /// </summary>
    public virtual bool TryGetRawCounter(string documentId, string name, out string node, out long value) =>
        throw NotAvailable("counterRaw");

    /// <summary>counterNamesFor(document): an array of names, in <see cref="Context"/>.</summary>
    public virtual BlittableValue GetCounterNames(string documentId) => throw NotAvailable("counterNamesFor");

    /// <summary>attachmentsFor(document): an array of objects, in <see cref="Context"/>.</summary>
    public virtual BlittableValue GetAttachments(string documentId) => throw NotAvailable("attachmentsFor");

    /// <summary>loadAttachment(document, name).getContentAsString(): null if it was deleted.</summary>
    public virtual string? GetAttachmentText(string documentId, string name, Encoding encoding) =>
        throw NotAvailable("getContentAsString");

    /// <summary>incrementCounter(document, name[, delta]).</summary>
    public virtual void IncrementCounter(string documentId, string name, double delta) =>
        throw NotAvailable("incrementCounter");

    /// <summary>deleteCounter(document, name).</summary>
    public virtual void DeleteCounter(string documentId, string name) => throw NotAvailable("deleteCounter");

    /// <summary>timeseries(document, name).append(time, values[, tag]).</summary>
    public virtual void AppendTimeSeries(
        string documentId, string name, DateTimeOffset time, ReadOnlySpan<double> values, string? tag) =>
        throw NotAvailable("timeseries");

    /// <summary>timeseries(document, name).increment([time,] values).</summary>
    public virtual void IncrementTimeSeries(
        string documentId, string name, DateTimeOffset? time, ReadOnlySpan<double> values) =>
        throw NotAvailable("timeseries");

    /// <summary>timeseries(document, name).delete([from, to]).</summary>
    public virtual void DeleteTimeSeries(string documentId, string name, DateTimeOffset from, DateTimeOffset to) =>
        throw NotAvailable("timeseries");

    /// <summary>timeseries(document, name).get([from, to]).</summary>
    public virtual IEnumerable<ScriptTimeSeriesEntry> GetTimeSeries(
        string documentId, string name, DateTimeOffset from, DateTimeOffset to) => throw NotAvailable("timeseries");

    /// <summary>A call of a time series that a query declares as a function: the JSON of its result.</summary>
    /// <param name="name">The name of the function.</param>
    /// <param name="arguments">What the script passes.</param>
    public virtual string QueryTimeSeries(string name, IReadOnlyList<ScriptArgument> arguments) =>
        throw NotAvailable("timeseries");

    private static ScriptHostException NotAvailable(string function) => new($"'{function}' is not available here");
}
