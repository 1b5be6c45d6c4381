using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Patching;
using Raven.Documents.Queries;
using Raven.Scripting;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Runs the script of an export or import on each document: <c>this</c> is the document with its <c>@metadata</c>, and
/// <c>throw 'skip'</c> leaves it out. It reads nothing of the database, and has the limits of a short patch.
/// </summary>
internal sealed class DumpTransform
{
    private const string Skip = "skip";

    private readonly ScriptEngine _engine;
    private readonly CompiledScript _script;
    private readonly ScriptLimits _limits;

    /// <summary>Compiles the script.</summary>
    /// <exception cref="RefusedException">It cannot be compiled.</exception>
    internal DumpTransform(QueryServices services, string script, int stepsMax)
    {
        _engine = services.Scripts.Engine;
        ScriptLimits whole = services.Scripts.LimitsOf(ScriptTier.Long);
        _limits = services.Scripts.LimitsOf(ScriptTier.Short) with
        {
            StepsMax = Math.Min(whole.StepsMax, stepsMax),
        };
        try
        {
            _script = _engine.Compile(script);
        }
        catch (ScriptException e)
        {
            throw new RefusedException(RefusalReason.Script, $"TransformScript: {e.Message}");
        }
    }

    /// <summary>Runs it.</summary>
    /// <param name="document">The document, with its metadata.</param>
    /// <param name="context">The memory of the result.</param>
    /// <param name="result">The document as the script has left it.</param>
    /// <param name="error">Why it failed; null if the script has left the document out.</param>
    /// <param name="cancellation">Ends the script.</param>
    /// <returns>False if the document is not taken.</returns>
    internal bool TryRun(
        BlittableObject document, OperationContext context, out BlittableObject result, out string? error,
        CancellationToken cancellation)
    {
        result = document;
        error = null;
        try
        {
            using ScriptRun run = _engine.Begin(_limits, new Host(context), cancellation);
            var self = run.ToValue(document.AsValue());
            run.Execute(_script, self);
            if (run.IsChanged(self))
            {
                result = run.Write(self, BlittableMode.ToDisk, context).AsObject();
            }

            return true;
        }
        catch (ScriptException e) when (e is { Failure: ScriptFailure.Thrown, Reason: Skip })
        {
            return false;
        }
        catch (ScriptException e)
        {
            error = e.Failure == ScriptFailure.Thrown
                ? $"The script failed: {e.Message}"
                : $"The script passed a limit ({e.Failure}): {e.Message}";
            return false;
        }
    }

    private sealed class Host(OperationContext context) : ScriptHost
    {
        public override OperationContext Context => context;

        public override void Output(string text)
        {
        }
    }
}
