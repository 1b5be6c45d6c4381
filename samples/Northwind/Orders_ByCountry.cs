using Raven.Client.Documents.Indexes;

namespace Raven.Samples.Northwind;

/// <summary>Orders and their worth, by country.</summary>
internal sealed class Orders_ByCountry : AbstractIndexCreationTask<Order, Sales>
{
    public Orders_ByCountry()
    {
        Map = orders => from order in orders
                        select new Sales
                        {
                            Country = order.ShipTo.Country,
                            Orders = 1,
                            Total = order.Lines.Sum(line => line.Price * line.Quantity),
                        };
        Reduce = results => from result in results
                            group result by result.Country into country
                            select new Sales
                            {
                                Country = country.Key,
                                Orders = country.Sum(sales => sales.Orders),
                                Total = country.Sum(sales => sales.Total),
                            };
    }
}
