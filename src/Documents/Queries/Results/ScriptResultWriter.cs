using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Results;

/// <summary>
/// Projections by JavaScript: <c>select { Name: u.Name, Boss: b.Name }</c>, or by a function that the query declares.
/// </summary>
internal sealed class ScriptResultWriter : ResultWriter
{
    private const long KeptBytesMax = 4 << 20;

    private readonly DistinctResult _distinct = new();
    private readonly OperationContext _context;
    private readonly QueryInput _input;
    private readonly QueryScript _script;

    /// <summary>Makes the projection of a query.</summary>
    /// <exception cref="RefusedException">It is no script.</exception>
    internal ScriptResultWriter(
        QueryInput input, LoadedDocuments loaded, OperationContext context, ScriptEnvironment scripts,
        QueryScriptHost host, CancellationToken cancellation)
    {
        _context = context;
        _input = input;
        RqlQuery rql = input.Rql;
        string body = rql.SelectScript is { } projected
            ? $"return ({{{projected.Text}}});"
            : CallOf(input, rql.Select[0]);
        _script = new QueryScript(input, body, loaded, context, scripts, host, cancellation);
    }

    /// <summary>Whether a query is projected by a script.</summary>
    internal static bool IsOne(RqlQuery rql) => rql.SelectScript is not null || FunctionOf(rql) is not null;

    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit)
    {
        try
        {
            BlittableValue result = _script.Run(in hit);
            if (!result.TryGetObject(out BlittableObject projected))
            {
                return result.IsNull ? false : throw NoObject();
            }

            if (IsWanted?.Invoke(HashOf(projected)) == false)
            {
                return false;
            }

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
        finally
        {
            // The memory of one large result is not kept during a wait for the client.
            _context.Reset();
            _context.Arena.Trim(KeptBytesMax);
        }
    }

    private UInt128 HashOf(BlittableObject projected)
    {
        _distinct.Begin();
        BlittableToJson.Write(projected, _distinct, JsonOutputOptions.Original);
        return _distinct.Finish();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool isDisposing)
    {
        _script.Dispose();
        base.Dispose(isDisposing);
    }

    /// <summary>The call of a function; its result is a member of the result if it has an alias, and otherwise
    /// the result.</summary>
    private static string CallOf(QueryInput input, RqlNamed item)
    {
        string call = QueryScript.TextOf(input, (RqlCall)item.Expression);
        return item.Alias is { } alias
            ? $"return {{[{System.Text.Json.JsonSerializer.Serialize(alias)}]: {call}}};"
            : $"return {call};";
    }

    private RqlException NoObject()
    {
        RqlCall function = FunctionOf(_input.Rql)!;
        return new RqlException(
            _input.Text, function.Position,
            $"'{function.Name}' gave something else than an object, which is no row: give it a name, as in "
            + $"\"select {function.Name}(...) as Name\", or return an object");
    }

    private static RqlCall? FunctionOf(RqlQuery rql) =>
        rql.Select is [{ Expression: RqlCall call }] && QueryScript.IsDeclared(rql, call) ? call : null;
}
