namespace Raven.Samples.Trimmed;

/// <summary>Where a customer is; a part of its document.</summary>
internal sealed class Address
{
    public string City { get; set; } = "";

    /// <summary>No code of the sample names it but what is kept whole: the document has it all the same.</summary>
    public string Country { get; set; } = "France";
}
