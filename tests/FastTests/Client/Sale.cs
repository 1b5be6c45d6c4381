namespace FastTests.Client;

/// <summary>A document with a property of each kind that queries compare, order and compute with.</summary>
internal sealed class Sale
{
    public string? Id { get; set; }

    /// <summary>No two sales have the same.</summary>
    public int Number { get; set; }

    public string Name { get; set; } = "";

    public string? Nick { get; set; }

    /// <summary>In upper and lower case, for comparisons that distinguish them.</summary>
    public string Code { get; set; } = "";

    public int Age { get; set; }

    public int? Rank { get; set; }

    public long Big { get; set; }

    public double Score { get; set; }

    public decimal Price { get; set; }

    public bool Active { get; set; }

    public bool? Checked { get; set; }

    public SaleLevel Level { get; set; }

    public SaleLevel? Former { get; set; }

    public DateTime At { get; set; }

    public DateTime? Until { get; set; }

    public Guid Key { get; set; }

    public char Mark { get; set; }

    public TimeSpan Span { get; set; }

    public DateTimeOffset Due { get; set; }

    public DateOnly Day { get; set; }

    public float Weight { get; set; }

    /// <summary>Beyond the whole numbers that all are doubles.</summary>
    public long Huge { get; set; }

    public char? Sign { get; set; }

    public TimeSpan? Wait { get; set; }

    public DateTimeOffset? Sent { get; set; }

    public TimeOnly Clock { get; set; }

    public decimal? Cost { get; set; }

    public ulong Tall { get; set; }

    public short Small { get; set; }

    /// <summary>A word of the language of queries.</summary>
    public int Not { get; set; }

    /// <summary>The keys are <c>a</c>, <c>b c</c> and <c>d.e</c>.</summary>
    public Dictionary<string, int> Counts { get; set; } = [];

    public SalePlace? Place { get; set; }

    public List<string> Tags { get; set; } = [];

    public List<SaleLine> Lines { get; set; } = [];
}

/// <summary>Names in another order than that of their numbers: documents have the names.</summary>
internal enum SaleLevel
{
    Gamma,
    Alpha,
    Beta,
}

internal sealed class SalePlace
{
    public string City { get; set; } = "";

    public int? Zip { get; set; }

    public SaleCountry? Country { get; set; }
}

internal sealed class SaleCountry
{
    public string Name { get; set; } = "";
}

internal sealed class SaleLine
{
    /// <summary>No id of a document.</summary>
    public string? Id { get; set; }

    public string Product { get; set; } = "";

    public int Quantity { get; set; }

    public List<string> Parts { get; set; } = [];
}

/// <summary>What a projection makes by name.</summary>
internal sealed class SaleRow
{
    public string Title { get; set; } = "";

    public int Total { get; set; }
}
