using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Results;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// The compiled script of a subscription. It runs between <see cref="Begin"/> and <see cref="End"/>, which lend it a
/// snapshot and memory; each document has the limits of a patch. One thread at a time.
/// </summary>
internal sealed class SubscriptionScript
{
    private readonly ScriptEnvironment _scripts;
    private readonly CompiledScript _compiled;
    private readonly JsValue[] _arguments;
    private readonly bool _isOfRevisions;
    private SubscriptionScriptHost? _host;
    private OperationContext? _context;
    private ScriptRun? _run;

    /// <summary>Compiles the script.</summary>
    /// <exception cref="ScriptException">It is no script.</exception>
    internal SubscriptionScript(SubscriptionQuery query, ScriptEnvironment scripts)
    {
        _scripts = scripts;
        _isOfRevisions = query.IsOfRevisions;
        string[] names = _isOfRevisions ? ["$current", "$previous"] : [query.Alias];
        _arguments = new JsValue[names.Length];
        _compiled = scripts.Engine.Compile(query.Script!, names);
    }

    /// <summary>Why the last document failed.</summary>
    internal string Error { get; private set; } = "";

    /// <summary>Lends it what it reads and writes to.</summary>
    /// <param name="snapshot">What it loads from.</param>
    /// <param name="context">Memory of one document, which the caller resets.</param>
    /// <param name="kept">Memory of what a run may keep from one document to the next.</param>
    /// <param name="includes">Takes the ids of documents that it wants sent along.</param>
    internal void Begin(
        DocumentSnapshot snapshot, OperationContext context, OperationContext kept, DistinctIds includes)
    {
        _context = context;
        _host = new SubscriptionScriptHost(snapshot, kept, includes);
    }

    /// <summary>Takes back what was lent.</summary>
    internal void End()
    {
        _run?.Dispose();
        _run = null;
        _host = null;
        _context = null;
        Array.Clear(_arguments);
    }

    /// <summary>Decides of a document.</summary>
    /// <param name="document">The document, or the revision.</param>
    /// <param name="previous">The revision before it; unused for documents.</param>
    /// <param name="projected">What the script made, in the memory of the document.</param>
    internal SubscriptionVerdict Run(
        StoredDocument? document, StoredDocument? previous, out BlittableObject projected)
    {
        projected = default;
        try
        {
            _run ??= _scripts.Engine.Begin(_scripts.QueryLimits, _host);
            _run.RenewBudget();
            _arguments[0] = ToValue(_run, document);
            if (_isOfRevisions)
            {
                _arguments[1] = ToValue(_run, previous);
            }

            JsValue result = _run.Execute(_compiled, _arguments[0], _arguments);
            if (result.IsNullish || (result.IsBoolean && !result.IsTrue))
            {
                return SubscriptionVerdict.Skipped;
            }

            if (result.IsTrue)
            {
                return SubscriptionVerdict.Whole;
            }

            if (_run.Write(result, BlittableMode.ToMemory, _context!).TryGetObject(out projected))
            {
                return SubscriptionVerdict.Projected;
            }

            Error = "The script gave something else than an object.";
            return SubscriptionVerdict.Failed;
        }
        catch (ScriptException e)
        {
            // An unfinished run must not be used for the next document.
            _run?.Dispose();
            _run = null;
            Error = e.Failure is ScriptFailure.Thrown or ScriptFailure.Syntax
                ? e.Message
                : $"The script passed a limit ({e.Failure}): {e.Message}";
            return SubscriptionVerdict.Failed;
        }
    }

    private static JsValue ToValue(ScriptRun run, StoredDocument? document) =>
        document is { } there ? run.ToValue(QueryScript.ToScript(in there)) : JsValue.Null;
}
