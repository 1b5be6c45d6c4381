using System.Linq.Expressions;
using System.Reflection;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Queries.MoreLikeThis;
using Raven.Client.Documents.Queries.Spatial;
using Raven.Client.Documents.Queries.Vector;

namespace Raven.Client.Documents.Queries;

/// <summary>See <see cref="IFilterDocumentQuery{T, TSelf}"/>.</summary>
internal abstract class FilterDocumentQuery<T, TSelf> : IFilterDocumentQuery<T, TSelf>
{
    private readonly string? _identity;
    private readonly string? _identityInJson;

    private protected FilterDocumentQuery(QueryRunner runner, PreparedQuery query)
    {
        Runner = runner;
        Query = query;
        Fields = new FieldTranslator(query.Rql, runner.Session.Conventions);
        EntitySerializer serializer = runner.Session.Conventions.Serializer;
        MemberInfo? identity = serializer.IdentityOf(typeof(T));
        _identity = identity?.Name;
        _identityInJson = identity is null ? null : serializer.NameOf(identity);
    }

    public TSelf Not => NegateNext();

    private protected abstract TSelf Self { get; }

    private protected QueryRunner Runner { get; }

    private protected PreparedQuery Query { get; }

    private protected FieldTranslator Fields { get; }

    private ConditionList Conditions => Query.Rql.Conditions;

    public TSelf WhereEquals(string fieldName, object? value, bool exact = false) =>
        Compare(PathOf(fieldName), "=", value, exact);

    public TSelf WhereEquals<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false) =>
        Compare(PathOf(field), "=", value, exact);

    public TSelf WhereNotEquals(string fieldName, object? value, bool exact = false) =>
        Compare(PathOf(fieldName), "!=", value, exact);

    public TSelf WhereNotEquals<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false) =>
        Compare(PathOf(field), "!=", value, exact);

    public TSelf WhereIn(string fieldName, IEnumerable<object?> values, bool exact = false) =>
        In(PathOf(fieldName), "in", values, exact);

    public TSelf WhereIn<TValue>(
        Expression<Func<T, TValue>> field, IEnumerable<TValue> values, bool exact = false) =>
        In(PathOf(field), "in", values.Cast<object?>(), exact);

    public TSelf WhereBetween(string fieldName, object start, object end, bool exact = false) =>
        Between(PathOf(fieldName), start, end, exact);

    public TSelf WhereBetween<TValue>(
        Expression<Func<T, TValue>> field, TValue start, TValue end, bool exact = false) =>
        Between(PathOf(field), start, end, exact);

    public TSelf WhereGreaterThan(string fieldName, object value, bool exact = false) =>
        Compare(PathOf(fieldName), ">", value, exact);

    public TSelf WhereGreaterThan<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false) =>
        Compare(PathOf(field), ">", value, exact);

    public TSelf WhereGreaterThanOrEqual(string fieldName, object value, bool exact = false) =>
        Compare(PathOf(fieldName), ">=", value, exact);

    public TSelf WhereGreaterThanOrEqual<TValue>(
        Expression<Func<T, TValue>> field, TValue value, bool exact = false) =>
        Compare(PathOf(field), ">=", value, exact);

    public TSelf WhereLessThan(string fieldName, object value, bool exact = false) =>
        Compare(PathOf(fieldName), "<", value, exact);

    public TSelf WhereLessThan<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false) =>
        Compare(PathOf(field), "<", value, exact);

    public TSelf WhereLessThanOrEqual(string fieldName, object value, bool exact = false) =>
        Compare(PathOf(fieldName), "<=", value, exact);

    public TSelf WhereLessThanOrEqual<TValue>(
        Expression<Func<T, TValue>> field, TValue value, bool exact = false) =>
        Compare(PathOf(field), "<=", value, exact);

    public TSelf WhereStartsWith(string fieldName, string value, bool exact = false) =>
        Call("startsWith", PathOf(fieldName), value, exact);

    public TSelf WhereStartsWith(Expression<Func<T, string?>> field, string value, bool exact = false) =>
        Call("startsWith", PathOf(field), value, exact);

    public TSelf WhereEndsWith(string fieldName, string value, bool exact = false) =>
        Call("endsWith", PathOf(fieldName), value, exact);

    public TSelf WhereEndsWith(Expression<Func<T, string?>> field, string value, bool exact = false) =>
        Call("endsWith", PathOf(field), value, exact);

    public TSelf WhereExists(string fieldName) => Add($"exists({PathOf(fieldName)})");

    public TSelf WhereExists<TValue>(Expression<Func<T, TValue>> field) => Add($"exists({PathOf(field)})");

    public TSelf WhereRegex(string fieldName, string pattern) => Call("regex", PathOf(fieldName), pattern, false);

    public TSelf WhereRegex(Expression<Func<T, string?>> field, string pattern) =>
        Call("regex", PathOf(field), pattern, false);

    public TSelf WhereLucene(string fieldName, string whereClause, bool exact = false) =>
        Call("lucene", PathOf(fieldName), whereClause, exact);

    public TSelf Search(string fieldName, string searchTerms, SearchOperator @operator = SearchOperator.Or) =>
        SearchIn(PathOf(fieldName), searchTerms, @operator);

    public TSelf Search(
        Expression<Func<T, object?>> field, string searchTerms, SearchOperator @operator = SearchOperator.Or) =>
        SearchIn(PathOf(field), searchTerms, @operator);

    public TSelf ContainsAny(string fieldName, IEnumerable<object?> values) =>
        In(PathOf(fieldName), "in", values, exact: false);

    public TSelf ContainsAny<TValue>(
        Expression<Func<T, IEnumerable<TValue>>> field, IEnumerable<TValue> values) =>
        In(PathOf(field), "in", values.Cast<object?>(), exact: false);

    public TSelf ContainsAll(string fieldName, IEnumerable<object?> values) =>
        In(PathOf(fieldName), "all in", values, exact: false);

    public TSelf ContainsAll<TValue>(
        Expression<Func<T, IEnumerable<TValue>>> field, IEnumerable<TValue> values) =>
        In(PathOf(field), "all in", values.Cast<object?>(), exact: false);

    public TSelf Spatial(string fieldName, Func<SpatialCriteriaFactory, SpatialCriteria> clause)
    {
        ArgumentNullException.ThrowIfNull(clause);
        return Add(clause(SpatialCriteriaFactory.Instance).ToCondition(Query.Rql, PathOf(fieldName)));
    }

    public TSelf Spatial(
        Expression<Func<T, object?>> field, Func<SpatialCriteriaFactory, SpatialCriteria> clause)
    {
        ArgumentNullException.ThrowIfNull(clause);
        return Add(clause(SpatialCriteriaFactory.Instance).ToCondition(Query.Rql, PathOf(field)));
    }

    public TSelf VectorSearch(
        Func<VectorFieldFactory<T>, VectorField> field, Func<VectorValueFactory, VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false)
    {
        ArgumentNullException.ThrowIfNull(field);
        ArgumentNullException.ThrowIfNull(value);
        return Add(QueryParts.VectorSearch(
            Query.Rql, field(VectorFieldFactory<T>.Instance).ToRql(PathOf), value(VectorValueFactory.Instance),
            minimumSimilarity, numberOfCandidates, isExact));
    }

    public TSelf MoreLikeThis(Action<IMoreLikeThisBuilder<T>> builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var like = new MoreLikeThisBuilder<T>(Fields);
        builder(like);
        return Add(like.ToCondition());
    }

    public TSelf AndAlso(bool wrapPreviousQueryClauses = false)
    {
        Conditions.Join(QueryOperator.And, wrapPreviousQueryClauses);
        return Self;
    }

    public TSelf OrElse(bool wrapPreviousQueryClauses = false)
    {
        Conditions.Join(QueryOperator.Or, wrapPreviousQueryClauses);
        return Self;
    }

    public TSelf NegateNext()
    {
        Conditions.Negate();
        return Self;
    }

    public TSelf OpenSubclause()
    {
        Conditions.Open();
        return Self;
    }

    public TSelf CloseSubclause()
    {
        Conditions.Close();
        return Self;
    }

    public TSelf UsingDefaultOperator(QueryOperator queryOperator)
    {
        if (!Conditions.IsEmpty)
        {
            throw new InvalidOperationException("The default operator is said before the first condition.");
        }

        Conditions.Joiner = queryOperator;
        return Self;
    }

    public TSelf Intersect()
    {
        Conditions.Separate();
        return Self;
    }

    public TSelf Boost(double boost) => Wrap(nameof(Boost), null, "boost", boost);

    public TSelf Fuzzy(double fuzzy)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(fuzzy);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(fuzzy, 1);
        return Wrap(nameof(Fuzzy), ConditionForm.Equal, "fuzzy", fuzzy);
    }

    public TSelf Proximity(int proximity)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(proximity);
        return Wrap(nameof(Proximity), ConditionForm.Search, "proximity", proximity);
    }

    /// <summary>The path of a field as RQL names it; the id has a path of its own.</summary>
    private protected string PathOf(string fieldName)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return fieldName == _identity || fieldName == _identityInJson ? "id()" : RqlBuilder.Field(fieldName);
    }

    private protected string PathOf(LambdaExpression field)
    {
        ArgumentNullException.ThrowIfNull(field);
        return Fields.PathOf(field.Body);
    }

    private TSelf Compare(string path, string operation, object? value, bool exact)
    {
        string condition = $"{path} {operation} {(value is null ? "null" : Query.Rql.Parameter(value))}";
        return exact
            ? Add($"exact({condition})")
            : Add(condition, operation == "=" ? ConditionForm.Equal : ConditionForm.Plain);
    }

    private TSelf In(string path, string operation, IEnumerable<object?> values, bool exact)
    {
        ArgumentNullException.ThrowIfNull(values);
        string condition = $"{path} {operation} ({Query.Rql.Parameter(values.ToArray())})";
        return Add(exact ? $"exact({condition})" : condition);
    }

    private TSelf Between(string path, object? start, object? end, bool exact)
    {
        string condition = $"{path} between {Query.Rql.Parameter(start)} and {Query.Rql.Parameter(end)}";
        return Add(exact ? $"exact({condition})" : condition);
    }

    private TSelf Call(string function, string path, string value, bool exact)
    {
        ArgumentNullException.ThrowIfNull(value);
        string condition = $"{function}({path}, {Query.Rql.Parameter(value)})";
        return Add(exact ? $"exact({condition})" : condition);
    }

    private TSelf SearchIn(string path, string terms, SearchOperator joiner)
    {
        ArgumentNullException.ThrowIfNull(terms);
        string and = joiner == SearchOperator.And ? ", and" : "";
        return Add($"search({path}, {Query.Rql.Parameter(terms)}{and})", ConditionForm.Search);
    }

    private TSelf Wrap(string call, ConditionForm? form, string function, object value)
    {
        Conditions.WrapLast(call, form, condition => $"{function}({condition}, {Query.Rql.Parameter(value)})");
        return Self;
    }

    private TSelf Add(string condition, ConditionForm form = ConditionForm.Plain)
    {
        Conditions.Add(condition, form);
        return Self;
    }
}
