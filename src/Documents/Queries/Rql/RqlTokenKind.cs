namespace Raven.Documents.Queries.Rql;

internal enum RqlTokenKind
{
    End,

    /// <summary>A name or keyword; keywords are not reserved, and are recognized by their place.</summary>
    Name,

    /// <summary>A text in single or double quotes.</summary>
    Text,

    /// <summary>A number without fraction or exponent that fits 64 bits.</summary>
    Integer,

    /// <summary>Any other number.</summary>
    Number,

    /// <summary>$ and a name.</summary>
    Parameter,

    /// <summary>A comparison: = == != &lt;&gt; &lt; &lt;= &gt; &gt;=.</summary>
    Comparison,

    /// <summary>One of ( ) [ ] { } , . and *.</summary>
    Sign,
}
