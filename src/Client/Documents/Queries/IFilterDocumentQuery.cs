using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries;

/// <summary>
/// The conditions of a query. A field is named by its path (<c>Address.City</c>, <c>Lines[].Product</c>) or by a
/// lambda. Texts are compared without regard to case, unless <c>exact</c> is set. Values are sent as parameters.
/// </summary>
public interface IFilterDocumentQuery<T, out TSelf>
{
    /// <summary>The field has this value.</summary>
    TSelf WhereEquals(string fieldName, object? value, bool exact = false);

    /// <summary>The field has this value.</summary>
    TSelf WhereEquals<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false);

    /// <summary>The field does not have this value.</summary>
    TSelf WhereNotEquals(string fieldName, object? value, bool exact = false);

    /// <summary>The field does not have this value.</summary>
    TSelf WhereNotEquals<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false);

    /// <summary>The field has one of these values.</summary>
    TSelf WhereIn(string fieldName, IEnumerable<object?> values, bool exact = false);

    /// <summary>The field has one of these values.</summary>
    TSelf WhereIn<TValue>(Expression<Func<T, TValue>> field, IEnumerable<TValue> values, bool exact = false);

    /// <summary>The field is between two values, both included.</summary>
    TSelf WhereBetween(string fieldName, object start, object end, bool exact = false);

    /// <summary>The field is between two values, both included.</summary>
    TSelf WhereBetween<TValue>(Expression<Func<T, TValue>> field, TValue start, TValue end, bool exact = false);

    /// <summary>The field is greater than the value.</summary>
    TSelf WhereGreaterThan(string fieldName, object value, bool exact = false);

    /// <summary>The field is greater than the value.</summary>
    TSelf WhereGreaterThan<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false);

    /// <summary>The field is greater than the value, or equal.</summary>
    TSelf WhereGreaterThanOrEqual(string fieldName, object value, bool exact = false);

    /// <summary>The field is greater than the value, or equal.</summary>
    TSelf WhereGreaterThanOrEqual<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false);

    /// <summary>The field is less than the value.</summary>
    TSelf WhereLessThan(string fieldName, object value, bool exact = false);

    /// <summary>The field is less than the value.</summary>
    TSelf WhereLessThan<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false);

    /// <summary>The field is less than the value, or equal.</summary>
    TSelf WhereLessThanOrEqual(string fieldName, object value, bool exact = false);

    /// <summary>The field is less than the value, or equal.</summary>
    TSelf WhereLessThanOrEqual<TValue>(Expression<Func<T, TValue>> field, TValue value, bool exact = false);

    /// <summary>The text begins with this one.</summary>
    TSelf WhereStartsWith(string fieldName, string value, bool exact = false);

    /// <summary>The text begins with this one.</summary>
    TSelf WhereStartsWith(Expression<Func<T, string?>> field, string value, bool exact = false);

    /// <summary>The text ends with this one.</summary>
    TSelf WhereEndsWith(string fieldName, string value, bool exact = false);

    /// <summary>The text ends with this one.</summary>
    TSelf WhereEndsWith(Expression<Func<T, string?>> field, string value, bool exact = false);

    /// <summary>The document has the field.</summary>
    TSelf WhereExists(string fieldName);

    /// <summary>The document has the field.</summary>
    TSelf WhereExists<TValue>(Expression<Func<T, TValue>> field);

    /// <summary>The text matches a regular expression.</summary>
    TSelf WhereRegex(string fieldName, string pattern);

    /// <summary>The text matches a regular expression.</summary>
    TSelf WhereRegex(Expression<Func<T, string?>> field, string pattern);

    /// <summary>The field matches a query string in Lucene's syntax.</summary>
    TSelf WhereLucene(string fieldName, string whereClause, bool exact = false);

    /// <summary>The field has words of a text.</summary>
    TSelf Search(string fieldName, string searchTerms, SearchOperator @operator = SearchOperator.Or);

    /// <summary>The field has words of a text.</summary>
    TSelf Search(
        Expression<Func<T, object?>> field, string searchTerms, SearchOperator @operator = SearchOperator.Or);

    /// <summary>The list has one of these values.</summary>
    TSelf ContainsAny(string fieldName, IEnumerable<object?> values);

    /// <summary>The list has one of these values.</summary>
    TSelf ContainsAny<TValue>(Expression<Func<T, IEnumerable<TValue>>> field, IEnumerable<TValue> values);

    /// <summary>The list has all of these values.</summary>
    TSelf ContainsAll(string fieldName, IEnumerable<object?> values);

    /// <summary>The list has all of these values.</summary>
    TSelf ContainsAll<TValue>(Expression<Func<T, IEnumerable<TValue>>> field, IEnumerable<TValue> values);

    /// <summary>The shape of the field meets a spatial condition.</summary>
    TSelf Spatial(string fieldName, Func<Spatial.SpatialCriteriaFactory, Spatial.SpatialCriteria> clause);

    /// <summary>The shape of the field meets a spatial condition.</summary>
    TSelf Spatial(
        Expression<Func<T, object?>> field,
        Func<Spatial.SpatialCriteriaFactory, Spatial.SpatialCriteria> clause);

    /// <summary>The document is among those whose vectors are nearest.</summary>
    /// <param name="field">Which field: <c>field => field.WithEmbedding(x => x.Embedding)</c>.</param>
    /// <param name="value">The vector to compare with: <c>value => value.ByEmbedding(vector)</c>.</param>
    /// <param name="minimumSimilarity">The least similarity, from 0 to 1.</param>
    /// <param name="numberOfCandidates">How many of the nearest; null takes the server's default.</param>
    /// <param name="isExact">All that are similar enough, not only the nearest.</param>
    TSelf VectorSearch(
        Func<Vector.VectorFieldFactory<T>, Vector.VectorField> field,
        Func<Vector.VectorValueFactory, Vector.VectorValue> value,
        float? minimumSimilarity = null, int? numberOfCandidates = null, bool isExact = false);

    /// <summary>The document is like another one; the only condition of its query.</summary>
    TSelf MoreLikeThis(Action<MoreLikeThis.IMoreLikeThisBuilder<T>> builder);

    /// <summary>"And": the conditions before and those after it must both be met.</summary>
    /// <param name="wrapPreviousQueryClauses">Whether all conditions before it are put in parentheses.</param>
    TSelf AndAlso(bool wrapPreviousQueryClauses = false);

    /// <summary>"Or": the conditions before or those after it must be met.</summary>
    /// <param name="wrapPreviousQueryClauses">Whether all conditions before it are put in parentheses.</param>
    TSelf OrElse(bool wrapPreviousQueryClauses = false);

    /// <summary>Negates the next condition.</summary>
    TSelf NegateNext();

    /// <summary>Negates the next condition.</summary>
    TSelf Not { get; }

    /// <summary>Begins a parenthesis.</summary>
    TSelf OpenSubclause();

    /// <summary>Ends a parenthesis.</summary>
    TSelf CloseSubclause();

    /// <summary>
    /// Sets the operator between conditions if none is given; <see cref="QueryOperator.And"/> unless set.
    /// </summary>
    TSelf UsingDefaultOperator(QueryOperator queryOperator);

    /// <summary>
    /// The conditions before and those after it must both be met; it may be another entry of the document for each.
    /// </summary>
    TSelf Intersect();

    /// <summary>Multiplies the score of the last condition.</summary>
    TSelf Boost(double boost);

    /// <summary>
    /// Accepts words that are similar to that of the last WhereEquals: 0 allows two changes of a character, 1 none.
    /// </summary>
    TSelf Fuzzy(double fuzzy);

    /// <summary>Requires the words of the last Search to be at most so many words apart.</summary>
    TSelf Proximity(int proximity);
}
