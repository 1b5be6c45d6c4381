namespace FastTests.Client;

internal sealed class User
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";

    public int Age { get; set; }

    public List<string> Tags { get; set; } = [];

    public Address? Address { get; set; }
}

internal sealed class Address
{
    public string? Id { get; set; }

    public string City { get; set; } = "";
}

internal sealed class Order
{
    public string? Id { get; set; }

    public string? CompanyId { get; set; }

    public DateTime OrderedAt { get; set; }

    public List<Line> Lines { get; set; } = [];
}

internal sealed class Line
{
    public string Product { get; set; } = "";

    public int Quantity { get; set; }
}

internal sealed class Company
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";
}

internal class Animal
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";
}

internal sealed class Dog : Animal
{
    public bool Barks { get; set; }
}
