using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Queries.Rql;
using Raven.Search.Fields;
using Raven.Search.Queries;

namespace Raven.Documents.Queries;

/// <summary>Parses <c>vector.search(field, value, least, candidates)</c> of a query.</summary>
/// <param name="text">The query, for errors.</param>
/// <param name="rql">The same, parsed.</param>
/// <param name="names">The names of the fields in the index.</param>
/// <param name="evaluate">Gives the values of literals and parameters.</param>
internal sealed class RqlVectors(
    string text, RqlQuery rql, IndexFieldNames names, Func<RqlExpression, object?> evaluate)
{
    /// <summary>The name of the function.</summary>
    internal const string Function = "vector.search";

    /// <summary>How many entries are found if neither the function nor the page says so.</summary>
    internal const int NearestDefault = 16;

    /// <summary>As a number of entries: all that are similar enough.</summary>
    internal const int AllNear = int.MaxValue;

    private const string Prefix = "embedding.";
    private const string OfDocument = "embedding.forDoc";

    private readonly VectorNumbers _numbers = new();

    /// <summary>Whether a call is one of this function.</summary>
    internal static bool IsOne(RqlCall call) => call.Name.Equals(Function, StringComparison.OrdinalIgnoreCase);

    /// <summary>What is wrong with the first argument of the function; null if it is valid.</summary>
    internal static string? ProblemOf(RqlExpression field)
    {
        if (field is RqlField)
        {
            return null;
        }

        if (field is not RqlCall call || FormatsOf(call.Name) is null)
        {
            return field is RqlCall { Name: var name } && IsOfText(name)
                ? $"'{name}': {VectorFieldJson.NoModel}"
                : "expected a field, or embedding.f32_i8, f32_i1, i8 or i1 of one";
        }

        return call.Arguments is [RqlField] ? null : $"'{call.Name}' takes one field";
    }

    /// <summary>
    /// The field of vectors that the first argument of the function needs in an automatic index; null if it is
    /// no such field.
    /// </summary>
    internal static AutoVector? VectorOf(RqlExpression field, RqlQuery rql)
    {
        (RqlExpression inner, VectorFormat source, VectorFormat destination) =
            field is RqlCall { Arguments: [var one] } call && FormatsOf(call.Name) is { } formats
            ? (one, formats.Source, formats.Destination)
            : (field, VectorFormat.Single, VectorFormat.Single);
        return inner is RqlField && IndexFieldNames.PathOf(inner, rql) is { } path
            ? new AutoVector(path, source, destination)
            : null;
    }

    /// <summary>Translates the function.</summary>
    /// <param name="call">The call, of two arguments or more.</param>
    /// <param name="query">Takes the condition.</param>
    /// <param name="nearest">How many entries are found if the function does not say.</param>
    /// <param name="isExact">Whether to find all that are similar enough, whatever the function says.</param>
    /// <param name="fields">The fields that the index has.</param>
    /// <returns>The node of the query.</returns>
    /// <exception cref="RqlException">An argument is not valid.</exception>
    internal int Translate(
        RqlCall call, SearchQuery query, int nearest, bool isExact, IReadOnlyList<IndexField> fields)
    {
        AutoVector vector = VectorOf(call.Arguments[0], rql)
            ?? throw Error(call.Arguments[0], ProblemOf(call.Arguments[0]) ?? "expected a field");
        string name = vector.Name;
        if (!names.IsAuto)
        {
            name = AutoVector.NameOf(vector.Path);
            vector = Kept(call.Arguments[0], vector);
        }

        float least = Least(call);
        nearest = isExact ? AllNear : Candidates(call) ?? nearest;
        RqlExpression value = call.Arguments[1];
        if (value is RqlCall { Arguments: [var id] } ofDocument
            && ofDocument.Name.Equals(OfDocument, StringComparison.OrdinalIgnoreCase))
        {
            string folded = IndexFieldNames.FoldId(
                evaluate(id) as string ?? throw Error(id, "expected the id of a document"));
            return query.NearestTo(name, query.VectorsOf(Encoding.UTF8.GetBytes(folded)), least, nearest);
        }

        if (value is RqlCall { Name: var function } && IsOfText(function))
        {
            throw Error(value, $"'{function}': {VectorFieldJson.NoModel}");
        }

        IndexField? field = fields.FirstOrDefault(one => one.Name == name);
        (int first, int count) = AddVectors(value, query, vector.Source, field?.Dimensions ?? 0);
        return query.Nearest(name, first, count, least, nearest);
    }

    /// <summary>The format of the field in the definition of an index, which the query need not repeat.</summary>
    private AutoVector Kept(RqlExpression place, AutoVector asked)
    {
        if (names.WhyUnknown(asked.Path) is { } problem)
        {
            throw Error(place, problem);
        }

        VectorFieldOptions options = names.VectorsOf(asked.Path);
        return place is RqlField || (asked.Source, asked.Destination) == (options.Source, options.Destination)
            ? asked with { Source = options.Source, Destination = options.Destination }
            : throw Error(
                place, $"the index has vectors of {options.Source} in '{asked.Path}' and keeps them as "
                + $"{options.Destination}: name the field alone");
    }

    private (int First, int Count) AddVectors(
        RqlExpression place, SearchQuery query, VectorFormat source, int dimensions)
    {
        object? value = evaluate(place);
        List<object?> vectors = value is List<object?> { Count: > 0 } list && !IsNumber(list[0]) ? list : [value];
        if (vectors.Count > SearchQuery.VectorsMax)
        {
            throw Error(place, $"expected no more than {SearchQuery.VectorsMax} vectors");
        }

        int first = 0;
        for (int i = 0; i < vectors.Count; i++)
        {
            int added = AddVector(place, query, vectors[i], source, dimensions);
            first = i == 0 ? added : first;
        }

        return (first, vectors.Count);
    }

    private int AddVector(RqlExpression place, SearchQuery query, object? value, VectorFormat source, int dimensions)
    {
        try
        {
            Read(value, source);
        }
        catch (FormatException wrong)
        {
            throw Error(place, $"expected a vector: {wrong.Message}");
        }

        if (dimensions > 0 && _numbers.Dimensions != dimensions)
        {
            throw Error(
                place, $"expected a vector of {dimensions} dimensions, as the index has, not of {_numbers.Dimensions}; "
                + "where it was a wrong one that came first, correct its document and reset the index");
        }

        return source switch
        {
            VectorFormat.Int8 => query.VectorOfBytes(_numbers.SignedBytes),
            VectorFormat.Binary => query.VectorOfBits(_numbers.Bits),
            _ => query.Vector(_numbers.Singles),
        };
    }

    private void Read(object? value, VectorFormat source)
    {
        if (value is BlittableValue { Kind: ValueKind.Object } stored)
        {
            value = stored.AsObject().TryGet("@vector"u8, out BlittableValue inner) ? QueryInput.ToValue(inner) : null;
        }

        _numbers.Begin(source);
        switch (value)
        {
            case string base64:
                _numbers.AddBase64(Encoding.UTF8.GetBytes(base64));
                break;
            case List<object?> numbers:
                foreach (object? one in numbers)
                {
                    _numbers.Add(one switch
                    {
                        long integer => integer,
                        double number => number,
                        _ => throw new FormatException("a list of numbers, or the base64 of their bytes"),
                    });
                }

                break;
            default:
                throw new FormatException("a list of numbers, or the base64 of their bytes");
        }

        _numbers.End();
    }

    private float Least(RqlCall call)
    {
        object? value = call.Arguments.Count > 2 ? evaluate(call.Arguments[2]) : null;
        double? least = value switch
        {
            null => 0,
            long integer => integer,
            double number => number,
            _ => null,
        };
        return least is >= 0 and <= 1
            ? (float)least
            : throw Error(call.Arguments[2], "expected a similarity from 0 to 1");
    }

    private int? Candidates(RqlCall call) => call.Arguments.Count < 4 ? null : evaluate(call.Arguments[3]) switch
    {
        null => null,
        long count and > 0 => (int)Math.Min(count, int.MaxValue - 1),
        _ => throw Error(call.Arguments[3], "expected how many candidates, a whole number that is not 0"),
    };

    private static (VectorFormat Source, VectorFormat Destination)? FormatsOf(string function) =>
        function.ToLowerInvariant() switch
        {
            "embedding.f32_i8" => (VectorFormat.Single, VectorFormat.Int8),
            "embedding.f32_i1" => (VectorFormat.Single, VectorFormat.Binary),
            "embedding.i8" => (VectorFormat.Int8, VectorFormat.Int8),
            "embedding.i1" => (VectorFormat.Binary, VectorFormat.Binary),
            _ => null,
        };

    private static bool IsOfText(string function) =>
        function.StartsWith($"{Prefix}text", StringComparison.OrdinalIgnoreCase);

    private static bool IsNumber(object? value) => value is long or double;

    private RqlException Error(RqlExpression place, string problem) => new(text, place.Position, problem);
}
