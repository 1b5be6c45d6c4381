using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Json;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Rql;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// A script of a query, which is run for each result: the alias, the loaded documents and the parameters are its
/// arguments. One run of the engine for all results; each has limits of its own.
/// </summary>
internal sealed class QueryScript : IDisposable
{
    private static readonly string[] FunctionsOfGroups = ["key", "count", "sum"];

    private readonly LoadedDocuments _loaded;
    private readonly OperationContext _context;
    private readonly Func<ScriptRun> _begin;
    private readonly BlittableObject _parameters;
    private readonly CompiledScript _script;
    private readonly JsValue[] _arguments;
    private readonly ScriptTextReservation _texts;
    private ScriptRun? _run;
    private int _renewals;

    /// <summary>Compiles a script.</summary>
    /// <param name="input">The query, whose functions it may call.</param>
    /// <param name="body">The body of the script's function, with the alias, the loads and the parameters
    /// as arguments.</param>
    /// <param name="loaded">The documents that the query loads.</param>
    /// <param name="context">Memory of one result; the caller resets it.</param>
    /// <param name="scripts">The engine.</param>
    /// <param name="host">The functions for the script.</param>
    /// <param name="cancellation">Ends a run.</param>
    /// <exception cref="RefusedException">It is no script.</exception>
    internal QueryScript(
        QueryInput input, string body, LoadedDocuments loaded, OperationContext context, ScriptEnvironment scripts,
        QueryScriptHost host, CancellationToken cancellation)
    {
        _loaded = loaded;
        _context = context;
        RqlQuery rql = input.Rql;
        List<string> names = [rql.Alias ?? "doc"];
        for (int i = 0; i < loaded.Count; i++)
        {
            names.Add(loaded.AliasAt(i));
        }

        _parameters = input.StoredParameters.IsNull ? default : input.StoredParameters.AsObject();
        for (int i = 0; i < (_parameters.IsValid ? _parameters.Count : 0); i++)
        {
            names.Add("$" + Encoding.UTF8.GetString(_parameters.GetProperty(i).Name));
        }

        var text = new StringBuilder();
        AppendDeclarations(text, rql);
        text.Append(body);
        try
        {
            _script = scripts.Engine.Compile(text.ToString(), [.. names]);
        }
        catch (ScriptException e)
        {
            throw Failed(e);
        }

        RefuseFunctionsOfGroups();
        _arguments = new JsValue[names.Count];
        _begin = () => scripts.Engine.Begin(scripts.QueryLimits, host, cancellation);
        _texts = host.Texts;
        Renewed();
    }

    /// <summary>Runs it for a result.</summary>
    /// <returns>What it returns, in the memory of the result.</returns>
    /// <exception cref="RefusedException">It threw, or passed a limit.</exception>
    /// <exception cref="LongTextException">It has to wait for <see cref="QueryScriptHost.Texts"/> first.</exception>
    internal BlittableValue Run(in QueryHit hit)
    {
        try
        {
            // What it may have kept is of a snapshot that is gone, if there is a younger one.
            ScriptRun run = _run is null || _renewals != _loaded.Session.Renewals ? Renewed() : _run;
            run.RenewBudget();
            SetArguments(run, in hit);
            JsValue result = run.Execute(_script, _arguments[0], _arguments);
            return run.Write(result, BlittableMode.ToMemory, _context, keepsUndefined: true);
        }
        catch (ScriptException e)
        {
            Dispose();
            throw e.Failure == ScriptFailure.Texts ? new LongTextException() : Failed(e);
        }
        finally
        {
            if (_texts.IsUsed)
            {
                // The run has the texts at which it looked: none of them is kept while a client is waited for.
                Dispose();
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _run?.Dispose();
        _run = null;
        Array.Clear(_arguments);
        _texts.GiveBack();
    }

    private ScriptRun Renewed()
    {
        _renewals = _loaded.Session.Renewals;
        _run?.Dispose();
        _run = _begin();
        SetParameters(_run);
        return _run;
    }

    /// <summary>A document in the form of scripts.</summary>
    internal static ScriptDocument ToScript(in StoredDocument document) => new()
    {
        Id = Encoding.UTF8.GetString(document.Id.Span),
        Data = document.Data,
        ChangeVector = Encoding.UTF8.GetString(document.ChangeVector.Span),
        LastModified = new DateTimeOffset(document.LastModifiedTicks, TimeSpan.Zero),
        Linked = LinkedMetadata.Of(document),
    };

    /// <summary>The call of a function that the query declares, as text of a script.</summary>
    internal static string TextOf(QueryInput input, RqlCall call)
    {
        IEnumerable<string> arguments = call.Arguments.Select(argument => argument switch
        {
            RqlField field => field.Path,
            RqlParameter parameter => "$" + parameter.Name,
            RqlLiteral literal => System.Text.Json.JsonSerializer.Serialize(literal.Value),
            _ => throw new RqlException(input.Text, argument.Position, "expected a field or a value"),
        });
        return $"{call.Name}({string.Join(", ", arguments)})";
    }

    /// <summary>Whether a call is one of a function that the query declares.</summary>
    internal static bool IsDeclared(RqlQuery rql, RqlCall call) =>
        rql.Declarations.Exists(one => one.Name == call.Name);

    /// <summary>Appends the functions that a query declares, as text of a script.</summary>
    internal static void AppendDeclarations(StringBuilder text, RqlQuery rql)
    {
        foreach (RqlDeclaration declared in rql.Declarations)
        {
            text.Append("function ").Append(declared.Name).Append('(').AppendJoin(", ", declared.Parameters)
                .Append(") {").Append(declared.Body.Text).Append("}\n");
        }

        foreach (RqlSeriesDeclaration declared in rql.Series)
        {
            text.Append("function ").Append(declared.Name).Append('(').AppendJoin(", ", declared.Parameters)
                .Append(") { return JSON.parse(__timeSeriesQuery(").AppendJoin(", ", declared.Parameters.Prepend(
                    $"\"{declared.Name}\"")).Append(")); }\n");
        }
    }

    private void RefuseFunctionsOfGroups()
    {
        foreach (string function in FunctionsOfGroups)
        {
            if (_script.TryFindGlobal(function, out _, out _))
            {
                throw new RefusedException(
                    RefusalReason.InvalidQuery,
                    $"'{function}' is worked out of a group, which an object of JavaScript does not have: name it in "
                    + "a list, as in \"from Orders group by Company select key() as Company, count() as Orders\".");
            }
        }
    }

    private static RefusedException Failed(ScriptException e) => new(
        RefusalReason.Script,
        e.Failure is ScriptFailure.Thrown or ScriptFailure.Syntax
            ? e.Message
            : $"The script passed a limit ({e.Failure}): {e.Message}");

    private void SetParameters(ScriptRun run)
    {
        for (int i = 0; i < (_parameters.IsValid ? _parameters.Count : 0); i++)
        {
            _arguments[1 + _loaded.Count + i] = run.ToValue(_parameters.GetProperty(i).Value);
        }
    }

    private void SetArguments(ScriptRun run, in QueryHit hit)
    {
        bool isThere = hit.TryGetData(_context, out BlittableObject data);
        StoredDocument document = hit.Document;
        _arguments[0] = hit.HasDocument ? run.ToValue(ToScript(in document))
            : isThere ? run.ToValue(data.AsValue())
            : JsValue.Null;
        for (int i = 0; i < (isThere ? _loaded.Count : 0); i++)
        {
            List<StoredDocument> found = _loaded.Load(i, data);
            _arguments[1 + i] = _loaded.IsManyAt(i)
                ? run.ToArray([.. found.Select(one => run.ToValue(ToScript(in one)))])
                : found.Count > 0 ? run.ToValue(ToScript(found[0])) : JsValue.Null;
        }
    }
}
