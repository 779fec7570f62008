/** Directives that are never imported, and why. */
import type { ImportReason } from '@breakwater/contract/import/site-import.ts'

const byReason: Partial<Record<ImportReason, string>> = {
  basicAuth: 'auth_basic auth_basic_user_file auth_request auth_jwt auth_request_set satisfy',
  rateLimit:
    'limit_req limit_req_zone limit_conn limit_conn_zone limit_req_status limit_conn_status limit_req_log_level',
  protection:
    'modsecurity modsecurity_rules modsecurity_rules_file securityrulesenabled valid_referers secure_link secure_link_md5 ssl_client_certificate ssl_verify_client limit_except',
  certificate: 'ssl_certificate ssl_certificate_key ssl_trusted_certificate ssl_password_file',
  localFiles:
    'root alias index try_files autoindex fastcgi_pass uwsgi_pass scgi_pass memcached_pass grpc_pass dav_methods fastcgi_index fastcgi_param fastcgi_split_path_info fastcgi_read_timeout fastcgi_buffers fastcgi_buffer_size uwsgi_param js_content content_by_lua content_by_lua_block content_by_lua_file mp4 flv stub_status random_index empty_gif',
  errorPage: 'error_page proxy_intercept_errors recursive_error_pages fastcgi_intercept_errors',
  map: 'map geo split_clients map_hash_bucket_size map_hash_max_size geoip_country geoip2 perl_set js_set',
  variable: 'set set_by_lua_block access_by_lua_block rewrite_by_lua_block header_filter_by_lua_block',
  layer4: 'stream mail',
  header: 'proxy_cookie_domain proxy_cookie_path proxy_cookie_flags add_trailer more_set_headers more_clear_headers',
  byEdge: `access_log error_log log_format log_not_found worker_processes worker_connections worker_rlimit_nofile user pid
    events http2 http3 http3_hq http2_max_concurrent_streams sendfile sendfile_max_chunk tcp_nopush tcp_nodelay
    keepalive_timeout keepalive_requests types_hash_max_size types_hash_bucket_size server_names_hash_bucket_size
    server_names_hash_max_size types default_type charset charset_types server_tokens proxy_http_version proxy_buffering
    proxy_buffers proxy_buffer_size proxy_busy_buffers_size proxy_request_buffering proxy_max_temp_file_size
    proxy_temp_path proxy_temp_file_write_size proxy_cache proxy_cache_path proxy_cache_key proxy_cache_lock
    proxy_cache_lock_timeout proxy_cache_lock_age proxy_cache_use_stale proxy_cache_background_update
    proxy_cache_revalidate proxy_cache_min_uses proxy_cache_methods proxy_redirect proxy_send_timeout send_timeout
    proxy_next_upstream proxy_next_upstream_tries proxy_next_upstream_timeout proxy_ssl_server_name proxy_ssl_name
    proxy_ssl_verify proxy_ssl_session_reuse proxy_ssl_protocols proxy_socket_keepalive proxy_pass_request_headers
    proxy_pass_request_body proxy_ignore_client_abort proxy_pass_header proxy_headers_hash_max_size
    proxy_headers_hash_bucket_size client_body_buffer_size client_body_timeout client_header_buffer_size
    client_header_timeout client_body_temp_path large_client_header_buffers reset_timedout_connection resolver
    resolver_timeout ssl_session_cache ssl_session_timeout ssl_session_tickets ssl_session_ticket_key ssl_ciphers
    ssl_prefer_server_ciphers ssl_dhparam ssl_ecdh_curve ssl_stapling ssl_stapling_verify ssl_early_data
    ssl_buffer_size ssl_conf_command ssl_reject_handshake gzip_vary gzip_proxied gzip_disable gzip_buffers
    gzip_http_version gzip_static brotli brotli_static brotli_comp_level brotli_types brotli_min_length real_ip_header
    set_real_ip_from real_ip_recursive real_ip open_file_cache open_file_cache_valid open_file_cache_min_uses
    open_file_cache_errors etag if_modified_since underscores_in_headers ignore_invalid_headers merge_slashes
    server_name_in_redirect port_in_redirect absolute_redirect aio directio output_buffers postpone_output
    variables_hash_max_size variables_hash_bucket_size load_module multi_accept use pcre_jit thread_pool
    lua_package_path lua_shared_dict zone keepalive max_ranges chunked_transfer_encoding msie_padding lingering_close
    rewrite_log uninitialized_variable_warn subrequest_output_buffer_size quic_retry ssl_early_data`,
}

const reasons = new Map(
  Object.entries(byReason).flatMap(([reason, names]) =>
    names.split(/\s+/).map((name) => [name, reason as ImportReason] as const),
  ),
)

/** Why a directive without an equivalent is not imported. */
export const reasonOf = (name: string): ImportReason => reasons.get(name) ?? 'unknown'
