using System.Buffers;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Scripting;
using Raven.Scripting.Values;
using Raven.Server.Documents;
using Raven.Server.Http;
using Raven.Server.Patching;
using Raven.Server.Queries.Rql;

namespace Raven.Server.Queries.Results;

/// <summary>
/// Projections by JavaScript: <c>select { Name: u.Name, Boss: b.Name }</c>, or by a function that the query declares.
/// One run of the engine for all results; each has a budget of its own.
/// </summary>
internal sealed class ScriptRows : RowWriter
{
    private readonly ArrayBufferWriter<byte> _row = new(1024);
    private readonly LoadedDocuments _loaded;
    private readonly OperationContext _context;
    private readonly ScriptRun _run;
    private readonly CompiledScript _script;
    private readonly JsValue[] _arguments;

    /// <summary>The projection of a query.</summary>
    /// <exception cref="BadRequestException">It is no script.</exception>
    internal ScriptRows(
        QueryInput input, LoadedDocuments loaded, OperationContext context, ScriptEnvironment scripts,
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

        BlittableObject parameters = input.StoredParameters.IsNull ? default : input.StoredParameters.AsObject();
        for (int i = 0; i < (parameters.IsValid ? parameters.Count : 0); i++)
        {
            names.Add("$" + Encoding.UTF8.GetString(parameters.GetProperty(i).Name));
        }

        try
        {
            _script = scripts.Engine.Compile(TextOf(input), [.. names]);
        }
        catch (ScriptException e)
        {
            throw Failed(e);
        }

        _run = scripts.Engine.Begin(scripts.LimitsOf(ScriptPace.Patient), host, cancellation);
        _arguments = new JsValue[names.Count];
        for (int i = 0; i < (parameters.IsValid ? parameters.Count : 0); i++)
        {
            _arguments[1 + loaded.Count + i] = _run.ToValue(parameters.GetProperty(i).Value);
        }
    }

    /// <summary>Whether a query is projected by a script.</summary>
    internal static bool IsOne(RqlQuery rql) => rql.SelectScript is not null || FunctionOf(rql) is not null;

    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit, out UInt128 row)
    {
        row = 0;
        try
        {
            _run.RenewBudget();
            SetArguments(in hit);
            JsValue result = _run.Execute(_script, _arguments[0], _arguments);
            BlittableValue written = _run.Write(result, BlittableMode.ToMemory, _context);
            if (!written.TryGetObject(out BlittableObject projected))
            {
                return false;
            }

            _row.ResetWrittenCount();
            BlittableToJson.Write(projected, _row, JsonOutputOptions.Original);
            row = HashOf(_row.WrittenSpan);
            var json = new JsonOutput(target);
            json.StartObject();
            for (int i = 0; i < projected.Count; i++)
            {
                BlittableProperty property = projected.GetProperty(i);
                if (!property.Name.SequenceEqual("@metadata"u8))
                {
                    json.Property(property);
                }
            }

            WriteMetadata(ref json, in hit);
            json.EndObject();
            json.Flush();
            return true;
        }
        catch (ScriptException e)
        {
            throw Failed(e);
        }
        finally
        {
            _context.Reset();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool isDisposing)
    {
        _run.Dispose();
        base.Dispose(isDisposing);
    }

    /// <summary>A document as scripts see it.</summary>
    internal static ScriptDocument ToScript(in StoredDocument document) => new()
    {
        Id = Encoding.UTF8.GetString(document.Id.Span),
        Data = document.Data,
        ChangeVector = Encoding.UTF8.GetString(document.ChangeVector.Span),
        LastModified = new DateTimeOffset(document.LastModifiedTicks, TimeSpan.Zero),
    };

    private static BadRequestException Failed(ScriptException e) => new(
        400, ErrorType.Script,
        e.Failure is ScriptFailure.Thrown or ScriptFailure.Syntax
            ? e.Message
            : $"The script passed a limit ({e.Failure}): {e.Message}");

    private void SetArguments(in QueryHit hit)
    {
        if (!hit.HasDocument)
        {
            _context.Parser.TryParse(
                hit.Stored.Span, BlittableMode.ToMemory, out BlittableObject stored, out _);
            _arguments[0] = stored.IsValid ? _run.ToValue(stored.AsValue()) : JsValue.Null;
            return;
        }

        StoredDocument document = hit.Document;
        _arguments[0] = _run.ToValue(ToScript(in document));
        for (int i = 0; i < _loaded.Count; i++)
        {
            List<StoredDocument> found = _loaded.Load(i, document.Data);
            _arguments[1 + i] = _loaded.IsManyAt(i)
                ? _run.ToArray([.. found.Select(one => _run.ToValue(ToScript(in one)))])
                : found.Count > 0 ? _run.ToValue(ToScript(found[0])) : JsValue.Null;
        }
    }

    private static RqlCall? FunctionOf(RqlQuery rql) =>
        rql.Select is [{ Expression: RqlCall call }]
            && rql.Declarations.Exists(one => one.Kind == "function" && one.Name == call.Name)
            ? call
            : null;

    private static string TextOf(QueryInput input)
    {
        RqlQuery rql = input.Rql;
        var text = new StringBuilder();
        AppendDeclarations(text, rql);
        if (rql.SelectScript is { } projected)
        {
            text.Append("return ({").Append(projected.Text).Append("});");
        }
        else
        {
            RqlCall call = FunctionOf(rql)!;
            IEnumerable<string> arguments = call.Arguments.Select(argument => argument switch
            {
                RqlField field => field.Path,
                RqlParameter parameter => "$" + parameter.Name,
                RqlLiteral literal => System.Text.Json.JsonSerializer.Serialize(literal.Value),
                _ => throw new RqlException(input.Text, argument.Position, "expected a field or a value"),
            });
            text.Append("return ").Append(call.Name).Append('(').AppendJoin(", ", arguments).Append(");");
        }

        return text.ToString();
    }

    /// <summary>The functions that a query declares, as a script has them.</summary>
    internal static void AppendDeclarations(StringBuilder text, RqlQuery rql)
    {
        foreach (RqlDeclaration declared in rql.Declarations)
        {
            if (declared.Kind == "function")
            {
                text.Append("function ").Append(declared.Name).Append('(').AppendJoin(", ", declared.Parameters)
                    .Append(") {").Append(declared.Body).Append("}\n");
            }
        }
    }
}
