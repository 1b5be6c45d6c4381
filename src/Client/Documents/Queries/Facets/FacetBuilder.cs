using System.Linq.Expressions;
using Raven.Client.Documents.Linq;

namespace Raven.Client.Documents.Queries.Facets;

/// <summary>See <see cref="IFacetBuilder{T}"/>. Makes an item of a projection.</summary>
internal sealed class FacetBuilder<T>(FieldTranslator fields) : IFacetBuilder<T>, IFacetOperations<T>
{
    private readonly List<string> _arguments = [];
    private string? _name;

    public IFacetOperations<T> ByField(string fieldName)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return Begin(RqlBuilder.Field(fieldName));
    }

    public IFacetOperations<T> ByField(Expression<Func<T, object?>> path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return Begin(fields.PathOf(path.Body));
    }

    public IFacetOperations<T> ByRanges(
        Expression<Func<T, bool>> range, params Expression<Func<T, bool>>[] ranges)
    {
        ArgumentNullException.ThrowIfNull(range);
        var conditions = new ConditionTranslator(fields);
        foreach (Expression<Func<T, bool>> one in ranges.Prepend(range))
        {
            Begin(conditions.Translate(one.Body));
        }

        return this;
    }

    public IFacetOperations<T> AllResults() => this;

    public IFacetOperations<T> WithDisplayName(string displayName)
    {
        ArgumentException.ThrowIfNullOrEmpty(displayName);
        _name = displayName;
        return this;
    }

    public IFacetOperations<T> WithOptions(FacetOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Begin(fields.Parameter(options));
    }

    public IFacetOperations<T> SumOn(Expression<Func<T, object?>> path) => On("sum", path);

    public IFacetOperations<T> MinOn(Expression<Func<T, object?>> path) => On("min", path);

    public IFacetOperations<T> MaxOn(Expression<Func<T, object?>> path) => On("max", path);

    public IFacetOperations<T> AverageOn(Expression<Func<T, object?>> path) => On("avg", path);

    internal string ToItem() =>
        $"facet({string.Join(", ", _arguments)})" + (_name is null ? "" : $" as {RqlBuilder.Quoted(_name)}");

    private FacetBuilder<T> On(string function, Expression<Func<T, object?>> path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return Begin($"{function}({fields.PathOf(path.Body)})");
    }

    private FacetBuilder<T> Begin(string argument)
    {
        _arguments.Add(argument);
        return this;
    }
}
