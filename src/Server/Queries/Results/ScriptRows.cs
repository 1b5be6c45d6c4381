using System.Buffers;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Http;
using Raven.Server.Patching;
using Raven.Server.Queries.Rql;

namespace Raven.Server.Queries.Results;

/// <summary>
/// Projections by JavaScript: <c>select { Name: u.Name, Boss: b.Name }</c>, or by a function that the query declares.
/// </summary>
internal sealed class ScriptRows : RowWriter
{
    private readonly ArrayBufferWriter<byte> _row = new(1024);
    private readonly OperationContext _context;
    private readonly QueryScript _script;

    /// <summary>The projection of a query.</summary>
    /// <exception cref="BadRequestException">It is no script.</exception>
    internal ScriptRows(
        QueryInput input, LoadedDocuments loaded, OperationContext context, ScriptEnvironment scripts,
        QueryScriptHost host, CancellationToken cancellation)
    {
        _context = context;
        RqlQuery rql = input.Rql;
        string body = rql.SelectScript is { } projected
            ? $"return ({{{projected.Text}}});"
            : QueryScript.TextOf(input, FunctionOf(rql)!);
        _script = new QueryScript(input, body, loaded, context, scripts, host, cancellation);
    }

    /// <summary>Whether a query is projected by a script.</summary>
    internal static bool IsOne(RqlQuery rql) => rql.SelectScript is not null || FunctionOf(rql) is not null;

    /// <inheritdoc/>
    internal override bool TryWrite(IBufferWriter<byte> target, in QueryHit hit, out UInt128 row)
    {
        row = 0;
        try
        {
            if (!_script.Run(in hit).TryGetObject(out BlittableObject projected))
            {
                return false;
            }

            if (IsDistinct)
            {
                _row.ResetWrittenCount();
                BlittableToJson.Write(projected, _row, JsonOutputOptions.Original);
                row = RowHash.OfJson(_row.WrittenSpan);
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
            _context.Reset();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool isDisposing)
    {
        _script.Dispose();
        base.Dispose(isDisposing);
    }

    private static RqlCall? FunctionOf(RqlQuery rql) =>
        rql.Select is [{ Expression: RqlCall call }] && QueryScript.IsDeclared(rql, call) ? call : null;
}
