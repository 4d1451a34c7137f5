# Active Record: what it sees of the database that the PG* variables name, as JSON.
require 'bigdecimal'
require 'json'
require 'stringio'
require 'active_record'
require 'pg'

ActiveRecord::Base.establish_connection(
  adapter: 'postgresql', host: ENV['PGHOST'], port: ENV['PGPORT'], username: ENV['PGUSER'],
  password: ENV['PGPASSWORD'], database: ENV['PGDATABASE'], pool: 1
)
ActiveRecord::Migration.verbose = false
ActiveRecord::Base.default_timezone = :utc

class MakeShop < ActiveRecord::Migration[6.1]
  def change
    create_table :authors, comment: 'größe' do |t|
      t.text :name, null: false, index: { unique: true }
      t.jsonb :traits, default: {}
      t.datetime :born
      t.timestamps default: -> { 'CURRENT_TIMESTAMP' }
    end
    create_table :books do |t|
      t.text :titles, array: true, default: []
      t.decimal :price, precision: 10, scale: 2
      t.references :author, null: false, foreign_key: { on_delete: :cascade }
      t.check_constraint 'price >= 0', name: 'not_negative'
    end
    add_index :books, :price, where: 'price > 1'
    create_table(:scratch)
  end
end

class Author < ActiveRecord::Base
  has_many :books
end

class Book < ActiveRecord::Base
  belongs_to :author
end

connection = ActiveRecord::Base.connection
seen = {}

# The name of each class that an error has come through, and the server's code and sentence.
def error
  ActiveRecord::Base.transaction(requires_new: true) { yield }
  nil
rescue ActiveRecord::StatementInvalid => raised
  cause = raised.cause
  [raised.class.name, cause.class.name, cause.result&.error_field(PG::Result::PG_DIAG_SQLSTATE), cause.message.lines.first.strip]
end

# As `rails db:migrate` does it: with its advisory lock and its tables of versions.
migration = ActiveRecord::MigrationProxy.new('MakeShop', 1, '', '')
migration.define_singleton_method(:migration) { @migration ||= MakeShop.new(name, version) }
ActiveRecord::Migrator.new(:up, [migration], ActiveRecord::SchemaMigration, 1).migrate
seen['migrated'] = ActiveRecord::SchemaMigration.pluck(:version)

dump = StringIO.new
ActiveRecord::SchemaDumper.dump(connection, dump)
seen['reflected'] = dump.string.lines
seen['tables'] = connection.tables.sort
seen['foreign keys'] = connection.foreign_keys('books').map { |one| [one.to_table, one.column, one.on_delete] }

ursula = Author.create!(name: 'Ursula ü', traits: { a: [1, nil] }, born: Time.utc(2000, 1, 2))
Book.insert_all!((1..50).map { |n| { titles: ["t#{n}", '"q", {'], price: n + 0.5, author_id: ursula.id } })
seen['found'] = Author.includes(:books).map { |one| [one.name, one.traits, one.born, one.books.size, one.books.sort_by(&:id).first.titles] }
seen['joined'] = Book.joins(:author).where('price > ?', 10).where(authors: { name: 'Ursula ü' }).sum(:price).to_s
seen['updated'] = Book.where('price > 10').update_all(titles: [])
seen['upserted'] = Author.upsert({ name: 'Ursula ü', traits: { b: 2 } }, unique_by: :name).rows.size
seen['batches'] = Book.in_batches(of: 7).map(&:count)
seen['error'] = error { Author.create!(name: 'Ursula ü') }
begin
  Author.transaction do
    Author.create!(name: 'outer')
    Author.transaction(requires_new: true) { Author.create!(name: 'inner'); raise ActiveRecord::Rollback }
    Author.lock.find_by!(name: 'outer')
  end
end
seen['kept'] = Author.order(:id).pluck(:name)

before = connection.select_value('SELECT pg_backend_pid()')
refused = [
  error { connection.drop_table(:scratch) },
  error { Book.update_all(price: 1) },
  error { connection.exec_query('SELECT $1::text', 'SQL', [ActiveRecord::Relation::QueryAttribute.new('word', 'zanzibar_denied', ActiveRecord::Type::Text.new)]) }
]
seen['same session'] = connection.select_value('SELECT pg_backend_pid()') == before
seen['after'] = Book.count

versions = { 'Active Record' => ActiveRecord.version.to_s, 'pg' => PG::VERSION, 'Ruby' => RUBY_VERSION }
puts JSON.generate({ versions: versions, seen: seen, refused: refused })
