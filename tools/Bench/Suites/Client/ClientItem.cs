using System.Globalization;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>A document of about 1 KB as applications have them.</summary>
internal sealed class ClientItem
{
    private static readonly string Filler = new('x', 780);

    public string? Id { get; set; }

    public string Name { get; set; } = "";

    public int Age { get; set; }

    public double Score { get; set; }

    public List<string> Tags { get; set; } = [];

    public ClientAddress? Address { get; set; }

    public string Text { get; set; } = "";

    internal static ClientItem Of(int number) => new()
    {
        Name = $"User {number}",
        Age = number % 90,
        Score = number % 1000 / 10.0,
        Tags = ["a", "b", "c"],
        Address = new ClientAddress { City = "Haifa", Street = $"Street {number % 500}" },
        Text = Filler,
    };

    /// <summary>The same as text, without what a database adds: the row of a peer.</summary>
    internal static string TextOf(long number) => string.Create(
        CultureInfo.InvariantCulture,
        $"{{\"Name\":\"User {number}\",\"Age\":{number % 90},\"Score\":{number % 1000 / 10.0}," +
        $"\"Tags\":[\"a\",\"b\",\"c\"],\"Address\":{{\"City\":\"Haifa\",\"Street\":\"Street {number % 500}\"}}," +
        $"\"Text\":\"{Filler}\"}}");
}
