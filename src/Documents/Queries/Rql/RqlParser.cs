namespace Raven.Documents.Queries.Rql;

/// <summary>
/// Parses a query in RQL, by recursive descent over its clauses. Every error has a line, a column and what was
/// expected there.
/// </summary>
internal sealed class RqlParser
{
    /// <summary>The longest query, in characters.</summary>
    internal const int LengthMax = 1 << 20;

    private readonly RqlReader _reader;
    private readonly RqlExpressionParser _expressions;
    private readonly RqlQuery _query = new();
    private readonly bool _allowsRevisions;

    private RqlParser(string text, bool allowsRevisions)
    {
        _allowsRevisions = allowsRevisions;
        _reader = new RqlReader(text);
        _expressions = new RqlExpressionParser(_reader);
    }

    /// <summary>Parses a query.</summary>
    /// <param name="text">The query.</param>
    /// <param name="allowsRevisions">Whether it may be of revisions, as that of a subscription.</param>
    /// <exception cref="RqlException">The text is no query.</exception>
    internal static RqlQuery Parse(string text, bool allowsRevisions = false)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.Length > LengthMax
            ? throw TooLong(text)
            : new RqlParser(text, allowsRevisions).Read();
    }

    /// <summary>The error of a query that is longer than <see cref="LengthMax"/>.</summary>
    internal static RqlException TooLong(string text) =>
        new(text, LengthMax, $"the query is longer than {LengthMax} characters");

    private RqlQuery Read()
    {
        _query.IsExplain = _reader.TryTakeWord("explain");
        while (_reader.Current.IsWord("declare"))
        {
            ReadDeclaration();
        }

        ReadFrom();
        if (_reader.TryTakeWord("group"))
        {
            _reader.TakeWord("by", "after 'group'");
            ReadList(_query.GroupBy, "a field to group by");
            if (_query.GroupBy.Find(key => !IsGroupKey(key)) is { } wrong)
            {
                _reader.FailAt(wrong.Position, "expected a field or array(field) to group by");
            }
        }

        if (_reader.TryTakeWord("where"))
        {
            _query.Where = _expressions.Condition();
        }

        if (_reader.TryTakeWord("order"))
        {
            _reader.TakeWord("by", "after 'order'");
            ReadOrders();
        }

        ReadBehindOrder();
        ReadLimit();
        if (_reader.Current.IsSign('{'))
        {
            _query.Parameters = _reader.TakeScript("parameters");
        }

        if (_reader.Current.Kind != RqlTokenKind.End)
        {
            FailBehindAll();
        }

        FindTimeSeries();
        RqlLoadNames.Check(_query, _reader);
        RqlGroupNames.Resolve(_query);
        return _query;
    }

    /// <summary>Refuses text after the last clause; for a clause, the message says where it belongs.</summary>
    private void FailBehindAll()
    {
        if (IsClause(_reader.Current))
        {
            string clause = _reader.Current.Text.ToLowerInvariant();
            clause = clause is "order" or "group" ? clause + " by" : clause;
            _reader.Fail(
                $"expected the end of the query: '{clause}' stands before, once. The order is from, group by, where, "
                + "order by, load, filter, select or update, include, limit, offset");
        }

        _reader.Fail("expected the next clause or the end of the query");
    }

    private static bool IsGroupKey(RqlExpression key) => key is RqlField { Path: not "id()" }
        || (key is RqlCall { Arguments: [RqlField { Path: not "id()" }] } call
            && call.Name.Equals("array", StringComparison.OrdinalIgnoreCase));

    private void ReadDeclaration()
    {
        _reader.Take();
        if (!_reader.Current.IsWord("function") && !_reader.Current.IsWord("timeseries"))
        {
            _reader.Fail("expected 'function' or 'timeseries' after 'declare'");
        }

        bool isTimeSeries = _reader.Current.IsWord(RqlTimeSeriesParser.Function);
        int position = _reader.Take().Position;
        string name = _reader.TakeName("the name of the declaration");
        List<string> parameters = [];
        _reader.TakeSign('(', "after the name of the declaration");
        if (!_reader.TryTakeSign(')'))
        {
            do
            {
                parameters.Add(_reader.TakeName("the name of a parameter"));
            }
            while (_reader.TryTakeSign(','));
            _reader.TakeSign(')', "after the parameters");
        }

        if (isTimeSeries)
        {
            _reader.TakeSign('{', "and a query of a time series");
            RqlTimeSeries series = new RqlTimeSeriesParser(_reader, _expressions).Read();
            _reader.TakeSign('}', "after the query of a time series");
            _query.TimeSeriesAt ??= position;
            _query.Series.Add(new RqlSeriesDeclaration(name, parameters, series));
            return;
        }

        RqlScript body = _reader.TakeScript("the body of the declaration");
        _query.Declarations.Add(new RqlDeclaration(name, parameters, body));
    }

    /// <summary>Finds queries of time series outside of declarations.</summary>
    private void FindTimeSeries()
    {
        foreach (RqlNamed item in _query.Select)
        {
            if (item.Expression is RqlTimeSeries series)
            {
                _query.TimeSeriesAt ??= series.Position;
            }
        }
    }

    private void ReadFrom()
    {
        if (_reader.Current.IsWord("select"))
        {
            _reader.Fail(
                "expected 'from' at the start of the query: what is selected stands behind it, as in "
                + "\"from Users where Age > 20 select Name\"");
        }

        _reader.TakeWord("from", "at the start of the query");
        _query.IsIndex = _reader.Current.IsWord("index") && _reader.Peek().Kind == RqlTokenKind.Text;
        if (_query.IsIndex)
        {
            _reader.Take();
        }
        else if (_reader.Current.IsWord("index") && _reader.Peek().Kind == RqlTokenKind.Name
            && !IsClause(_reader.Peek()) && !_reader.Peek().IsWord("as"))
        {
            _reader.FailAt(
                _reader.Peek().Position,
                "expected the name of an index in quotes; a collection that is called index is written in quotes too");
        }

        if (_reader.Current.Kind is not (RqlTokenKind.Text or RqlTokenKind.Name))
        {
            _reader.Fail("expected a collection, '@all_docs', or 'index' and the name of one");
        }

        _query.Source = _reader.Take().Text;
        if (_allowsRevisions && _reader.TryTakeSign('('))
        {
            ReadRevisions();
        }

        if (_reader.TryTakeWord("as"))
        {
            _query.Alias = _reader.TakeName("an alias after 'as'");
        }
        else if (_reader.Current.Kind == RqlTokenKind.Name && !IsClause(_reader.Current))
        {
            _query.Alias = _reader.Take().Text;
        }
    }

    /// <summary>"(" "Revisions" "=" "true" ")", after its parenthesis</summary>
    private void ReadRevisions()
    {
        _reader.TakeWord("Revisions", "after '('");
        if (_reader.Current.Kind != RqlTokenKind.Comparison || _reader.Current.Text is not ("=" or "=="))
        {
            _reader.Fail("expected '=' after 'Revisions'");
        }

        _reader.Take();
        _query.IsOfRevisions = !_reader.TryTakeWord("false");
        if (_query.IsOfRevisions)
        {
            _reader.TakeWord("true", "or 'false' after '='");
        }

        _reader.TakeSign(')', "after the value of 'Revisions'");
    }

    private static bool IsClause(RqlToken token)
    {
        string[] clauses = ["group", "where", "order", "load", "filter", "filter_limit", "select", "update", "include",
            "limit", "offset"];
        return Array.Exists(clauses, token.IsWord);
    }

    private void ReadList(List<RqlExpression> list, string what)
    {
        do
        {
            if (_reader.Current.Kind is RqlTokenKind.End)
            {
                _reader.Fail($"expected {what}");
            }

            list.Add(_expressions.AsField(_expressions.Operand()));
        }
        while (_reader.TryTakeSign(','));
    }

    private void ReadOrders()
    {
        do
        {
            RqlExpression key = _expressions.AsField(_expressions.Operand());
            if (key is not (RqlField or RqlCall))
            {
                _reader.FailAt(key.Position, "expected a field to order by, found a value");
            }

            string? type = _reader.TryTakeWord("as") ? ReadOrderType() : null;
            bool isDescending = _reader.TryTakeWord("desc") || _reader.TryTakeWord("descending");
            _ = isDescending || _reader.TryTakeWord("asc") || _reader.TryTakeWord("ascending");
            bool? nullsLast = null;
            if (_reader.TryTakeWord("nulls"))
            {
                nullsLast = _reader.TryTakeWord("last");
                if (nullsLast == false)
                {
                    _reader.TakeWord("first", "or 'last' after 'nulls'");
                }
            }

            _query.OrderBy.Add(new RqlOrder(key, type, isDescending, nullsLast));
        }
        while (_reader.TryTakeSign(','));
    }

    private string ReadOrderType()
    {
        int position = _reader.Current.Position;
        const string What = "'string', 'long', 'double' or 'alphanumeric' after 'as'";
        string type = _reader.TakeName(What).ToLowerInvariant();
        if (type is not ("string" or "long" or "double" or "alphanumeric"))
        {
            _reader.FailAt(position, $"expected {What}, found '{type}'");
        }

        return type;
    }

    private void ReadBehindOrder()
    {
        if (_reader.TryTakeWord("load"))
        {
            do
            {
                RqlExpression path = _expressions.AsField(_expressions.Operand());
                _ = _reader.TryTakeWord("as");
                string alias = _reader.TakeName("an alias after the path to load");
                if (_reader.TryTakeSign('['))
                {
                    _reader.TakeSign(']', "after '['");
                    alias += "[]";
                }

                _query.Load.Add(new RqlNamed(path, alias));
            }
            while (_reader.TryTakeSign(','));
        }

        if (_reader.TryTakeWord("filter"))
        {
            _query.Filter = _expressions.Condition();
            ReadFilterLimit();
        }

        if (_reader.TryTakeWord("select"))
        {
            ReadSelect();
        }
        else if (_reader.TryTakeWord("update"))
        {
            _query.Update = _reader.TakeScript("the script of the update");
        }

        if (_reader.TryTakeWord("include"))
        {
            ReadList(_query.Include, "a path to include");
        }
    }

    private void ReadSelect()
    {
        _query.IsDistinct = _reader.TryTakeWord("distinct");
        if (_reader.Current.IsSign('{'))
        {
            _query.SelectScript = _reader.TakeScript("the object to project");
            return;
        }

        // A query without a projection gives whole documents too: clients write * for "distinct" alone.
        if (_reader.TryTakeSign('*'))
        {
            return;
        }

        do
        {
            if (_reader.Current.Kind == RqlTokenKind.End)
            {
                _reader.Fail("expected a field after 'select'");
            }

            RqlExpression item = _expressions.AsField(_expressions.Operand());
            string? alias = _reader.TryTakeWord("as") ? _reader.TakeAlias() : null;
            _query.Select.Add(new RqlNamed(item, alias));
        }
        while (_reader.TryTakeSign(','));
    }

    /// <summary>"limit" skip "," take | "limit" take ["offset" skip] | "offset" skip, and "filter_limit" n</summary>
    private void ReadLimit()
    {
        if (_reader.TryTakeWord("limit"))
        {
            RqlExpression first = Number("after 'limit'");
            if (_reader.TryTakeSign(','))
            {
                _query.Skip = first;
                _query.Take = Number("after ','");
            }
            else
            {
                _query.Take = first;
            }
        }

        if (_query.Skip is null && _reader.TryTakeWord("offset"))
        {
            _query.Skip = Number("after 'offset'");
        }

        ReadFilterLimit();
    }

    private void ReadFilterLimit()
    {
        if (_query.Filter is not null && _query.FilterLimit is null && _reader.TryTakeWord("filter_limit"))
        {
            _query.FilterLimit = Number("after 'filter_limit'");
        }
    }

    private RqlExpression Number(string after)
    {
        if (_reader.Current.Kind is not (RqlTokenKind.Integer or RqlTokenKind.Parameter)
            || _reader.Current.Text.StartsWith('-'))
        {
            _reader.Fail($"expected a number {after}");
        }

        return _expressions.Operand();
    }
}
